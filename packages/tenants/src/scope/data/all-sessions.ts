import type { ScopedMethods } from "./adapter.ts";

/** Rows per query. Few users have as many sessions. */
const PAGE = 1_000;

type FindMany = ScopedMethods["findMany"];

/**
 * Reads all sessions if the engine asks for a user's sessions without a limit. Its default is 100 rows, so "sign out everywhere
 * else" would leave the others alive and report success.
 */
export const readAllSessions =
	(isSessions: (model: string) => boolean) =>
	(methods: ScopedMethods): ScopedMethods => {
		const findMany: FindMany = async <Found>(query: Parameters<FindMany>[0]): Promise<Found[]> => {
			const ofUser = query.where?.some(({ field }) => field === "userId");
			if (!ofUser || query.limit !== undefined || !isSessions(query.model)) return methods.findMany<Found>(query);
			const sortBy = query.sortBy ?? { field: "id", direction: "asc" };
			const rows: Found[] = [];
			for (;;) {
				const page = await methods.findMany<Found>({ ...query, sortBy, limit: PAGE, offset: rows.length });
				rows.push(...page);
				if (page.length < PAGE) return rows;
			}
		};
		return { ...methods, findMany };
	};
