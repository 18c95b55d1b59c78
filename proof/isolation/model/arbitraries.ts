import fc from "fast-check";
import { type Kind, WEIGHTS } from "./catalogue.ts";
import type { Operation } from "./operation.ts";
import type { Performer } from "./perform.ts";
import type { Model } from "./state.ts";

/** The operations of a round, in sequence or concurrent. */
class Operations implements fc.AsyncCommand<Model, Performer, false> {
	readonly operations: readonly Operation[];
	readonly atOnce: boolean;
	constructor(operations: readonly Operation[], atOnce: boolean) {
		this.operations = operations;
		this.atOnce = atOnce;
	}
	check(): boolean {
		return true;
	}
	run(_model: Model, performer: Performer): Promise<void> {
		return performer.perform(this.operations, this.atOnce);
	}
	toString(): string {
		return `${this.atOnce ? "at once" : "one by one"}: ${this.operations.map(({ kind }) => kind).join(", ")}`;
	}
}

const kinds = (Object.entries(WEIGHTS) as [Kind, number][]).map(([kind, weight]) => ({
	weight,
	arbitrary: fc.constant(kind),
}));

const operation: fc.Arbitrary<Operation> = fc.record({ kind: fc.oneof(...kinds), die: fc.nat() });

const operations = (minLength: number, maxLength: number, atOnce: boolean) =>
	fc.array(operation, { minLength, maxLength, size: "max" }).map((drawn) => new Operations(drawn, atOnce));

/** One round of the model: sequences with exactly known effects, and concurrent operations. */
export const rounds = fc.commands<Model, Performer, false>([operations(2, 8, false), operations(12, 40, true)], {
	maxCommands: 12,
	size: "max",
});
