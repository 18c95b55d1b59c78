import type { Credential, End, Person } from "./beliefs.ts";
import { endsOf } from "./ends.ts";
import type { World } from "./world.ts";

/** Who wrote which row, by its id. */
export type Writers = Map<string, Credential>;

type Asked = {
	person: Person;
	/** the column with the user, by table */
	tables: Record<string, string>;
	/** only rows of the table with this condition */
	only?: Record<string, string>;
};

/** Rows that somebody wrote with a credential that an end should have ended. */
export const findLeftovers = async (
	{ database, hasTable }: Pick<World, "database" | "hasTable">,
	writers: Writers,
	{ person, tables, only = {} }: Asked,
	ends: End[],
): Promise<string[]> => {
	const left: string[] = [];
	for (const [table, field] of Object.entries(tables)) {
		if (!hasTable(table)) continue;
		const more = only[table] ? ` and ${only[table]}` : "";
		const rows = await database.query(`select "id" from "${table}" where "${field}" = '${person.id}'${more}`);
		for (const { id } of rows) {
			const credential = writers.get(String(id));
			const known = { ends, undos: [] };
			const [end] = credential ? endsOf({ credential, role: "member" }, known, Number.POSITIVE_INFINITY) : [];
			if (end) left.push(`a row of ${table} from before is left after ${end.kind} was answered`);
		}
	}
	return left;
};
