type Taken = {
	/** names it on the command line */
	id: string;
	/** what is taken out, as a sentence */
	name: string;
	/** below src/ */
	file: string;
	/** must match exactly once, so that a refactoring makes the run fail and not the mutant vanish */
	find: string | RegExp;
	/** takes the groups of a pattern ($1) */
	replace: string;
	/** rows of the threat model */
	threats: number[];
};

/** Caught by the model of what fifty tenants may see: users signing up, in and out, and replaying what they got. */
export type ModelDefence = Taken & {
	caughtBy: "model";
	/** only sessions and verifications that lie in Redis show it */
	redis?: boolean;
};

/** Out of the model's reach (a crash, another database, a start that is refused, a hostile provider): caught by these tests. */
export type TestDefence = Taken & {
	caughtBy: "tests";
	files: string[];
	/** part of the names of the tests that are run */
	named: string;
};

/** One defence of the scope, and how to take it out and nothing else. */
export type Defence = ModelDefence | TestDefence;
