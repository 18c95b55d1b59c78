import type { IdentityProvider } from "test-kit/identity-provider";
import type { Query } from "test-kit/load/invariants";
import { Visitor } from "test-kit/load/visitor";
import type { RunningApp } from "../../app/start-app.ts";

/** What every scenario uses. The application changes with each restart, its address does not. */
export type Scene = {
	app: () => RunningApp;
	origin: () => string;
	query: Query;
	idp: IdentityProvider;
	/** an unused name */
	fresh: (kind: string) => string;
};

export type Attempt = {
	/** The work during which the process dies. Returns whether the caller got a success. */
	run: () => Promise<boolean>;
	/** Inspects the state after the restart, lets the user try again, and returns what is wrong. */
	inspect: (acknowledged: boolean) => Promise<string[]>;
};

export type Scenario = {
	name: string;
	/** Creates what all attempts share, and returns a function that prepares one. */
	begin: (scene: Scene) => Promise<() => Promise<Attempt>>;
};

export const visitorOf = (scene: Scene): Visitor => new Visitor(scene.origin);
