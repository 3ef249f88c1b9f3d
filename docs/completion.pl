#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# completion.pl bash|zsh|fish DESCRIPTION: the completion of a shell, from what `traceviz help --json` printed to the file DESCRIPTION.
use strict;
use warnings;
use JSON::PP;

my ($shell, $description) = @ARGV;
open my $in, '<', $description or die "$description: $!\n";
my $all = JSON::PP->new->decode(do { local $/; <$in> });
my @verbs = @{ $all->{verbs} };
my @names = map { $_->{name} } @verbs;

# Names that options accept whose words are not in their argument.
sub names { return map { $_->{name} } @{ $all->{ $_[0] } } }
my ($tasks) = grep { $_->{name} eq 'tasks' } @{ $all->{tables} };
my %known = (
	panels => [names('panels')],
	scheduler => [names('schedulers')],
	section => [names('sections')],
	format => [names('formats')],
	explain => [names('findings')],
);
my %of_argument = (COLUMN => [map { $_->{name} } @{ $tasks->{columns} }], TABLE => [names('tables')]);

# What an option accepts, as far as it is known.
sub words {
	my ($option) = @_;
	my $argument = $option->{argument} // '';
	my @kinds = map { @{ $of_argument{$_} } } grep { $argument =~ /\b$_\b/ } sort keys %of_argument;
	my @columns = $argument =~ /\b([A-Z][a-z]\w*)\b/g;
	my %seen;
	return grep { !$seen{$_}++ } @{ $known{ $option->{name} } // [] }, @{ $option->{words} // [] }, @columns, @kinds;
}

# Of each verb: its options, those of all panels among those of plot.
my %options;
for my $verb (@verbs) {
	my @all = @{ $verb->{options} };
	if ($verb->{name} eq 'plot') {
		for my $panel (@{ $all->{panels} }) {
			push @all, map { { %$_, name => "$panel->{name}.$_->{name}" } } @{ $panel->{options} };
		}
	}
	$options{ $verb->{name} } = [map { { %$_, words => [words($_)], list => $_->{kind} eq 'list' } } @all];
}
# What may follow a verb: parts of a question, words of help.
my %follow;
push @{ $follow{ $_->{question} } }, $_->{name} for grep { defined $_->{question} } @verbs;
$follow{help} = [@names, @{ $all->{help} }];

sub bash {
	my ($values, $files, $lists) = ('', '', '');
	my (%cases, @files);
	for my $verb (@verbs) {
		for my $option (grep { defined $_->{argument} } @{ $options{ $verb->{name} } }) {
			my $case = join '|', map { "$verb->{name}:$_" } "--$option->{name}", defined $option->{letter} ? "-$option->{letter}" : ();
			if (!@{ $option->{words} }) { push @files, $case; next }
			push @{ $cases{ ($option->{list} ? 'list' : 'words') . " \"@{ $option->{words} }\"" } }, $case;
		}
	}
	$values = join '', map { "\t" . join('|', @{ $cases{$_} }) . ") _traceviz_$_; return ;;\n" } sort keys %cases;
	$files = join '|', @files;
	my $after = join '', map { "\t$_) after=\"@{ $follow{$_} }\" ;;\n" } sort keys %follow;
	my $known = join '|', @names;
	my $of = join '', map {
		my $verb = $_;
		"\t$verb) options=\"" . join(' ', map { ("--$_->{name}", defined $_->{letter} ? "-$_->{letter}" : ()) } @{ $options{$verb} }) . "\" ;;\n"
	} @names;
	return <<"END";
# traceviz in bash; made by docs/completion.pl from traceviz help --json
_traceviz_words() { mapfile -t COMPREPLY < <(compgen -W "\$1" -- "\$word"); }
# The last name of a list with commas.
_traceviz_list()
{
	local begin=""
	[[ \$word == *,* ]] && begin=\${word%,*},
	mapfile -t COMPREPLY < <(compgen -P "\$begin" -W "\$1" -- "\${word##*,}")
}
_traceviz()
{
	local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} verb=plot after="" options

	COMPREPLY=()
	if [ "\$COMP_CWORD" -gt 1 ]; then
		case \${COMP_WORDS[1]} in
		$known) verb=\${COMP_WORDS[1]} ;;
		esac
	fi
	case \${COMP_WORDS[1]} in
$after	esac
	if [ "\$COMP_CWORD" -gt 2 ] && [ "\$verb" != help ] && [[ " \$after " == *" \${COMP_WORDS[2]} "* ]]; then
		verb=\${COMP_WORDS[2]}
	fi
	case \$verb:\$before in
$values	$files)
		return ;;
	esac
	case \$verb in
$of	esac
	if [[ \$word == -* ]]; then
		_traceviz_words "\$options"
	elif [ "\$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "@names" -- "\$word"; compgen -f -- "\$word")
	elif [ "\$COMP_CWORD" -eq 2 ] && [ -n "\$after" ]; then
		_traceviz_words "\$after"
	fi
}
complete -o default -F _traceviz traceviz
END
}

# Between single quotes of a shell, the signs of _arguments escaped.
sub zsh_text { return $_[0] =~ s/([\\\[\]:])/\\$1/gr =~ s/'/'\\''/gr }

sub zsh {
	my $out = "#compdef traceviz\n# traceviz in zsh; made by docs/completion.pl from traceviz help --json\nlocal verb=plot\nlocal -a verbs\nverbs=(\n";
	$out .= join '', map { "\t'$_->{name}:" . zsh_text($_->{summary}) . "'\n" } @verbs;
	$out .= ")\nif (( CURRENT == 2 )) && [[ \$words[2] != -* ]]; then\n\t_describe verb verbs\n\t_files\n\treturn\nfi\n";
	$out .= "if (( CURRENT == 3 )) && [[ \$words[3] != -* ]]; then\n\tcase \$words[2] in\n";
	$out .= join '', map { "\t$_) compadd -- @{ $follow{$_} }; [[ \$words[2] == (help|series|list) ]] || _files; return ;;\n" } sort keys %follow;
	$out .= "\tesac\nfi\nif (( CURRENT > 2 )) && [[ -n \${(M)verbs:#\${words[2]}:*} ]]; then\n\tverb=\$words[2]\n\tshift words\n\t(( CURRENT-- ))\nfi\n";
	$out .= "if (( CURRENT > 2 )); then\n\tcase \$verb in\n";
	$out .= join '', map { "\t$_) [[ \" @{ $follow{$_} } \" != *\" \$words[2] \"* ]] || { verb=\$words[2]; shift words; (( CURRENT-- )) } ;;\n" } grep { $_ ne 'help' } sort keys %follow;
	$out .= "\tesac\nfi\ncase \$verb in\n";
	for my $name (@names) {
		$out .= "$name)\n\t_arguments \\\n";
		for my $option (@{ $options{$name} }) {
			my @words = map { zsh_text($_) } @{ $option->{words} };
			my $value = !@words ? '_files' : $option->{list} ? "_values -s , name @words" : "(@words)";
			$value = defined $option->{argument} ? ':' . zsh_text($option->{argument}) . ":$value" : '';
			$out .= "\t\t'*$_" . '[' . zsh_text($option->{text}) . "]$value' \\\n" for "--$option->{name}", defined $option->{letter} ? "-$option->{letter}" : ();
		}
		$out .= "\t\t'*:TRACE:_files' ;;\n";
	}
	return "${out}esac\n";
}

sub fish_text { return "'" . $_[0] =~ s/([\\'])/\\$1/gr . "'" }

sub fish {
	my $out = <<"END";
# traceviz in fish; made by docs/completion.pl from traceviz help --json
function __traceviz_verb
	set -l words (commandline -opc)
	if set -q words[3]; and test \$words[2] != help; and contains -- \$words[3] @names
		echo \$words[3]
	else if set -q words[2]; and contains -- \$words[2] @names
		echo \$words[2]
	else
		echo plot
	end
end
function __traceviz_second
	set -l words (commandline -opc)
	test (count \$words) = 2; and test \$words[2] = \$argv[1]
end
END
	for my $verb (@verbs) {
		my $name = $verb->{name};
		$out .= "complete -c traceviz -n __fish_use_subcommand -a $name -d " . fish_text($verb->{summary}) . "\n";
		$out .= "complete -c traceviz -n '__traceviz_second $name' -a " . fish_text("@{ $follow{$name} }") . "\n" if $follow{$name};
		for my $option (@{ $options{$name} }) {
			my @words = @{ $option->{words} };
			$out .= "complete -c traceviz -n 'test (__traceviz_verb) = $name'" . (defined $option->{letter} ? " -s $option->{letter}" : '')
				. " -l $option->{name}" . (!defined $option->{argument} ? '' : @words ? ' -x -a ' . fish_text("@words") : ' -r')
				. ' -d ' . fish_text($option->{text}) . "\n";
		}
	}
	return $out;
}

my %made = (bash => \&bash, zsh => \&zsh, fish => \&fish);
die "completion.pl: '$shell', expected bash, zsh or fish\n" unless $made{$shell};
print $made{$shell}->();
