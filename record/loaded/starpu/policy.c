/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * policy.c -- the hooks of scheduling policies.
 *
 * StarPU copies the struct of a policy when it is chosen, so its hooks are replaced before: those of all
 * policies of StarPU when the probe is loaded, one of the program itself when it calls starpu_init. A hook
 * has no argument that says whose it is, so each policy gets functions of its own.
 */
#include <string.h>

#include "record/loaded/starpu/probe.h"

enum { MAX_POLICIES = 64 };

/* The policies as they were. */
static struct starpu_sched_policy original[MAX_POLICIES];
static bool decides[MAX_POLICIES], by_priority[MAX_POLICIES];
static int npolicies;

static int push(int policy, struct starpu_task *task)
{
	/* The end of the push will not be seen. */
	if (!tv_starpu_is_first)
		tv_starpu_pushed(task, tv_starpu_order());
	else if (decides[policy])
		return tv_starpu_decide(task, original[policy].push_task, by_priority[policy]);
	return original[policy].push_task(task);
}

static struct starpu_task *pop(int policy, unsigned context)
{
	struct starpu_task *task = original[policy].pop_task(context);

	if (task)
		tv_starpu_popped(task);
	return task;
}

static void submit(int policy, struct starpu_task *task)
{
	tv_starpu_name_policy(original[policy].policy_name);
	tv_starpu_submitted(task);
	if (original[policy].submit_hook)
		original[policy].submit_hook(task);
}

static void begin(int policy, struct starpu_task *task, unsigned context)
{
	if (original[policy].pre_exec_hook)
		original[policy].pre_exec_hook(task, context);
	tv_starpu_started(task, context);
}

static void end(int policy, struct starpu_task *task, unsigned context)
{
	tv_starpu_ended(task);
	if (original[policy].post_exec_hook)
		original[policy].post_exec_hook(task, context);
}

struct hooks {
	int (*push)(struct starpu_task *);
	struct starpu_task *(*pop)(unsigned);
	void (*submit)(struct starpu_task *);
	void (*begin)(struct starpu_task *, unsigned);
	void (*end)(struct starpu_task *, unsigned);
};

/* Numbers are octal. */
#define EIGHT(of, n) of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7)
#define ALL(of) \
	EIGHT(of, 00) \
	EIGHT(of, 01) \
	EIGHT(of, 02) EIGHT(of, 03) EIGHT(of, 04) EIGHT(of, 05) EIGHT(of, 06) EIGHT(of, 07)

#define FUNCTIONS(n) \
	static int push_##n(struct starpu_task *task) \
	{ \
		return push(n, task); \
	} \
	static struct starpu_task *pop_##n(unsigned context) \
	{ \
		return pop(n, context); \
	} \
	static void submit_##n(struct starpu_task *task) \
	{ \
		submit(n, task); \
	} \
	static void begin_##n(struct starpu_task *task, unsigned context) \
	{ \
		begin(n, task, context); \
	} \
	static void end_##n(struct starpu_task *task, unsigned context) \
	{ \
		end(n, task, context); \
	}
#define ROW(n) { push_##n, pop_##n, submit_##n, begin_##n, end_##n },

ALL(FUNCTIONS)
static const struct hooks hook[MAX_POLICIES] = { ALL(ROW) };

static bool is_replaced(const struct starpu_sched_policy *policy)
{
	for (int i = 0; i < npolicies; i++)
		if (policy->push_task == hook[i].push)
			return true;
	return false;
}

static void replace(struct starpu_sched_policy *policy)
{
	static const char *const dm[] = { "dm", "dmda", "dmdap", "dmdar", "dmdas", "dmdasd" };
	const char *name = policy->policy_name ? policy->policy_name : "";

	if (npolicies == MAX_POLICIES || !policy->push_task || is_replaced(policy))
		return;
	original[npolicies] = *policy;
	for (size_t i = 0; i < sizeof dm / sizeof *dm; i++)
		decides[npolicies] |= strcmp(name, dm[i]) == 0;
	by_priority[npolicies] = strcmp(name, "dmdasd") == 0;
	policy->push_task = hook[npolicies].push;
	/* Without it, the policy pushes to StarPU's own queues of workers. */
	if (policy->pop_task)
		policy->pop_task = hook[npolicies].pop;
	policy->submit_hook = hook[npolicies].submit;
	policy->pre_exec_hook = hook[npolicies].begin;
	policy->post_exec_hook = hook[npolicies].end;
	npolicies++;
}

void tv_starpu_set_hooks(void)
{
	struct starpu_sched_policy **policy;

	if (!tv_starpu_is_known())
		return;
	for (policy = REAL(starpu_sched_get_predefined_policies)(); *policy; policy++)
		replace(*policy);
}

/* ---- what the program or StarPU calls here instead ---- */

/* A policy of the program: a copy with other hooks, as the program's may be constant. */
static struct starpu_sched_policy *replace_own(struct starpu_conf *conf)
{
	static struct starpu_sched_policy copy[4];
	static int ncopies;
	struct starpu_sched_policy *own = conf ? conf->sched_policy : NULL;

	if (!own || is_replaced(own) || ncopies == 4 || !tv_starpu_is_known())
		return own;
	copy[ncopies] = *own;
	replace(&copy[ncopies]);
	conf->sched_policy = &copy[ncopies++];
	return own;
}

EXPORT int starpu_init(struct starpu_conf *conf)
{
	struct starpu_sched_policy *own;
	int rc;

	if (!tv_starpu_load())
		return -ENODEV;
	tv_starpu_set_hooks();
	tv_starpu_forget();
	own = replace_own(conf);
	rc = REAL(starpu_init)(conf);
	if (conf)
		conf->sched_policy = own;
	return rc;
}

EXPORT int starpu_initialize(struct starpu_conf *conf, int *argc, char ***argv)
{
	struct starpu_sched_policy *own;
	int rc;

	if (!tv_starpu_load())
		return -ENODEV;
	tv_starpu_set_hooks();
	tv_starpu_forget();
	own = replace_own(conf);
	rc = REAL(starpu_initialize)(conf, argc, argv);
	if (conf)
		conf->sched_policy = own;
	return rc;
}

/* STARPU_SCHED_LIB of StarPU 1.4. */
EXPORT struct starpu_sched_policy **starpu_get_sched_lib_policies(void);
EXPORT struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name);

struct starpu_sched_policy **starpu_get_sched_lib_policies(void)
{
	tv_starpu_set_hooks();
	return REAL(starpu_sched_get_predefined_policies)();
}

struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name)
{
	struct starpu_sched_policy **policy;

	if (!tv_starpu_load())
		return NULL;
	policy = starpu_get_sched_lib_policies();
	while (*policy && (!(*policy)->policy_name || strcmp((*policy)->policy_name, name)))
		policy++;
	return *policy;
}
