import { runWithTenant } from "better-auth-tenants";
import { canonical } from "./canonical.ts";
import { type Side, TENANT } from "./shop.ts";

/** One random query, which can be sent to either side. */
export type RandomQuery = {
	/** what it does, to count by */
	kind: string;
	isWrite: boolean;
	/** on the rows of all tenants, with the helper */
	limited: () => Promise<unknown>;
	/** on the copy, which has the rows of one tenant only */
	plain: () => Promise<unknown>;
	/** its text, for a report */
	show: () => string;
};

export type Verdict = { outcome: "same" | "refused" | "failed"; wrong?: string };

type Answer = { rows: string } | { refused: string } | { failed: string };

const answerOf = async (run: () => Promise<unknown>): Promise<Answer> => {
	try {
		return { rows: canonical(await run()) };
	} catch (error) {
		const { body, code, message } = error as { body?: { code?: string }; code?: string; message?: string };
		if (body?.code?.startsWith("ROW_")) return { refused: body.code };
		// a policy of PostgreSQL, also as Prisma reports it
		if (code === "42501" || /row-level security|42501/.test(String(message))) return { refused: "42501" };
		return { failed: String(message).slice(0, 200) };
	}
};

/** Runs a query on both sides. The rows that it returns and the rows that it leaves behind must be the same. */
export const compare = async (query: RandomQuery, full: Side, copy: Side): Promise<Verdict> => {
	const before = query.isWrite ? await full.dump() : undefined;
	const limited = await answerOf(() => runWithTenant(TENANT, async () => await query.limited()));
	if ("refused" in limited) {
		const after = query.isWrite ? await full.dump() : undefined;
		const changed = canonical(after) !== canonical(before);
		if (changed) await full.restore();
		return { outcome: "refused", ...(changed && { wrong: `refused, but rows changed: ${query.show()}` }) };
	}
	const plain = await answerOf(query.plain);
	const left = before && (await differenceOfRows(before, full, copy));
	const wrong = left ?? differenceOf(limited, plain);
	return {
		outcome: "failed" in limited ? "failed" : "same",
		...(wrong && { wrong: `${wrong}: ${query.show()}` }),
	};
};

const differenceOf = (limited: Answer, plain: Answer): string | undefined => {
	if ("failed" in limited && "failed" in plain) return undefined;
	if ("rows" in limited && "rows" in plain && limited.rows === plain.rows) return undefined;
	return `${JSON.stringify(limited).slice(0, 300)} instead of ${JSON.stringify(plain).slice(0, 300)}`;
};

const differenceOfRows = async (
	before: { own: string; others: string },
	full: Side,
	copy: Side,
): Promise<string | undefined> => {
	const [left, right] = [await full.dump(), await copy.dump()];
	const wrong =
		left.others !== before.others
			? "rows of another tenant changed"
			: left.own !== right.own
				? "the tenant's rows differ from the copy"
				: undefined;
	if (wrong || left.own !== before.own) {
		await full.restore();
		await copy.restore();
	}
	return wrong;
};
