#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# mutants.pl -- plants small faults in a copy of the sources, one at a time, and reports those that no test finds.
#
#   perl tests/mutants.pl [SEED [COUNT [PATTERN]]]      default: seed 1, 30 mutants, all of analysis dag lp views convert
#
# The same seed on the same sources plants the same mutants. For each: build what changed, run the unit tests that
# are nearest to the file (by its name, then those that include a header of its folder), then the cases, the command-line
# tests (those first that name the file) and the other unit tests; stop at the first failure. Command-line tests that fail
# without a mutant end the run at once. A mutant that does not compile is replaced by another one; one
# that makes a test hang (10 times its usual limit) is found. Exit status 1 if more than 3 survive.
use strict;
use warnings;
$| = 1;
use File::Basename;
use File::Temp qw(tempdir);

my ($seed, $count, $pattern) = (@ARGV, (1, 30, '.')[@ARGV .. 2]);
die "usage: perl tests/mutants.pl [SEED [COUNT [PATTERN]]]\n" if "$seed $count" !~ /^\d+ \d+$/;
my $root = dirname(dirname(File::Spec->rel2abs($0)));
my $work = tempdir('mutants.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $survivors_max = 3;
use File::Spec;

# What a fault looks like: a pattern and its replacement; each match in the code is one possible mutant.
my @faults = (
	['<(?![<=])', '<='], ['<=', '<'], ['(?<![->])>(?![>=])', '>='], ['>=', '>'],
	['==', '!='], ['!=', '=='], ['&&', '||'], ['\|\|', '&&'],
	['(?<=[\w)\]] )\+(?= [\w(])', '-'], ['(?<=[\w)\]] )-(?= [\w(])', '+'],
	['(?<=[\w)\]] )\*(?= [\w(])', '/'], ['(?<=[\w)\]] )/(?= [\w(])', '*'],
	['(?<![\w.])1(?![\w.])', '2'], ['(?<![\w.])0\.5(?![\w.])', '0.25'], ['\+\+(?=;)', '--'],
	['\bfmin\b', 'fmax'], ['\bfmax\b', 'fmin'], ['\bcontinue;', 'break;'], ['(?<=[^=!<>]= )(?=\w[\w.>-]*;)', '!'],
	['\btrue\b', 'false'], ['\bfalse\b', 'true'], ['(?<=return )(\w[\w.>\[\]-]*)(?=;)', '!$1'],
);

# xorshift, so that a seed means the same everywhere.
my $state = $seed * 2654435761 % 4294967296 || 1;
sub random_below {
	my $below = shift;
	for (13, -17, 5) {
		$state = $_ > 0 ? ($state ^ ($state << $_)) & 0xffffffff : $state ^ ($state >> -$_);
	}
	return $state % $below;
}

# Every place where a fault can be planted: [file, line, column, length, text]. Comments, strings, messages,
# preprocessor lines and conditions that only check memory or errors are left out.
sub places {
	my ($file) = @_;
	my (@places, $comment);
	open my $in, '<', $file or die "$file: $!";
	while (my $line = <$in>) {
		my $code = $line;
		if ($comment) {
			$comment = 0 if $code =~ s/^(.*?\*\/)/' ' x length $1/e;
			next if $comment;
		}
		$code =~ s/(\/\*.*?\*\/)/' ' x length $1/ge;
		$comment = 1 if $code =~ s/(\/\*.*)/' ' x length $1/e;
		$code =~ s/("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/' ' x length $1/ge;
		next if $code =~ /^\s*#|tv_fail|tv_grow|TV_GROW|NULL|< 0|assert|tv_free|\bfor \(;;|^[\w\s*]+\(|^(static|struct|enum|const|extern)\b|\berr\b/;
		# Which of two statuses below 0 makes no difference.
		next if $code =~ /^\s*return -?[01];/;
		# a < b ? a : b is the same with <=.
		my $choice = $code =~ /(\S+) [<>]=? (\S+) \? (\1 : \2|\2 : \1)/;
		for my $fault (@faults) {
			my ($from, $to) = @$fault;
			next if $choice && $to =~ /^[<>]=?$/;
			while ($code =~ /$from/g) {
				my ($at, $length) = ($-[0], $+[0] - $-[0]);
				(my $new = substr $code, $at, $length) =~ s/^.*$/$to =~ s{\$1}{$&}r/e;
				push @places, [$file, $., $at, $length, $new];
			}
		}
	}
	return @places;
}

sub run_quietly {
	my ($seconds, $command) = @_;
	return system("cd '$work/tree' && timeout $seconds sh -c '$command' >'$work/log' 2>&1 </dev/null") >> 8;
}

sub unit_test_passes {
	my ($name) = @_;
	my $test = "build/unit/$name.t";
	run_quietly(300, "make -s $test") == 0 or return 0;
	return run_quietly(200, "$test") == 0;
}

sub run_scripts {
	return run_quietly(1200, 'TRACEVIZ_BIN="$PWD/build" prove -j2 --exec sh ' . join ' ', map { "tests/cli/$_" } @_);
}

# Those of the last run_scripts that failed.
sub failing_scripts {
	open my $in, '<', "$work/log" or die;
	my $log = do { local $/; <$in> };
	return grep { $log =~ /\/\Q$_\E +\(Wstat/ } @_;
}

# The names of the unit tests, nearest to the file first.
sub nearest {
	my ($file) = @_;
	my ($name, $folder) = (basename($file, '.c'), dirname($file));
	my %score;
	for my $test (glob "$root/tests/unit/*/test_*.c") {
		my $stem = $test =~ s/^.*\/(\w+\/\w+)\.c$/$1/r;
		open my $in, '<', $test or die;
		my $text = do { local $/; <$in> };
		$score{$stem} = ($stem =~ /_\Q$name\E$/ ? 100 : 0) + ($text =~ /"\Q$folder\/$name.h\E"/ ? 50 : 0)
			+ ($stem =~ /\Q$name\E|\Q@{[substr $name, 0, 5]}\E/ ? 20 : 0) + ($text =~ /\b\Q$name\E\b/ ? 10 : 0)
			+ ($text =~ /"\Q$folder\E\// ? 5 : 0);
	}
	my @all = sort { $score{$b} <=> $score{$a} || $a cmp $b } keys %score;
	return ([grep { $score{$_} >= 10 } @all], [grep { $score{$_} < 10 } @all]);
}

# What found the mutant, or undef.
sub killer {
	my ($file, @scripts) = @_;
	my ($near, $far) = nearest($file);
	for (@$near) { return $_ unless unit_test_passes($_); }
	run_quietly(300, "make -s all man") == 0 or return 'build';
	run_quietly(600, 'TRACEVIZ_BIN="$PWD/build" perl tests/cases/run.pl tests/cases/*/*.test') == 0 or return 'cases';
	my $word = basename($file, '.c') =~ s/_/-/gr;
	my %first = map { $_ => `grep -c -- '$word' '$root/tests/cli/$_'` + 0 } @scripts;
	@scripts = sort { $first{$b} <=> $first{$a} || $a cmp $b } @scripts;
	while (my @next = splice @scripts, 0, 8) {
		return join ', ', failing_scripts(@next) if run_scripts(@next) != 0;
	}
	for (@$far) { return $_ unless unit_test_passes($_); }
	return undef;
}

system("mkdir -p '$work/tree' && cd '$root' && git ls-files -z | xargs -0 cp --parents -t '$work/tree' && cp -r build '$work/tree/'"
	. " && ln -s '$root/../shared' '$work/shared'") == 0 or die "cannot copy the sources\n";
run_quietly(1200, 'make -s all man completions') == 0 or die "the sources do not build: see make all\n";
my @places = map { places($_) } grep { /$pattern/ } map { glob "$root/$_/*.c $root/$_/*/*.c" } qw(record analysis dag lp views convert);
die "nothing to mutate\n" unless @places;
my @scripts = grep { $_ ne "fuzz.t" } map { basename $_ } glob "$root/tests/cli/*.t"; # fuzz.t: slow to link
run_scripts(@scripts) == 0 or die "tests fail without a mutant: @{[failing_scripts(@scripts)]}\n";
print "seed $seed, ", scalar @places, " places\n";
my ($done, @survivors) = (0);
while ($done < $count) {
	my ($path, $number, $at, $length, $new) = @{ $places[random_below(scalar @places)] };
	my $file = $path =~ s/^\Q$root\E\///r;
	open my $in, '<', $path or die;
	my @lines = <$in>;
	my $before = $lines[$number - 1];
	substr($lines[$number - 1], $at, $length) = $new;
	open my $out, '>', "$work/tree/$file" or die;
	print $out @lines;
	close $out;
	(my $object = "build/$file") =~ s/\.c$/.o/;
	if (run_quietly(300, "make -s $object CFLAGS=\"-O1 -w\"") == 0) {
		my $by = killer($file, @scripts);
		$done++;
		printf "%2d %s:%d: %s -> %s: %s\n", $done, $file, $number, $before =~ s/^\s+|\s+$//gr,
			$lines[$number - 1] =~ s/^\s+|\s+$//gr, defined $by ? "found by $by" : 'SURVIVES';
		push @survivors, "$file:$number" unless defined $by;
	}
	system('cp', $path, "$work/tree/$file");
	utime time, time, "$work/tree/$file";
	run_quietly(300, "make -s $object");
}
printf "%d mutants, %d survive%s\n", $count, scalar @survivors, @survivors ? ": @survivors" : '';
exit(@survivors > $survivors_max);
