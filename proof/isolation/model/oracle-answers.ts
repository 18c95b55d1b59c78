import type { Owners } from "./artifacts.ts";
import type { Tenant } from "./beliefs.ts";
import type { Answer, Request } from "./http.ts";

const LONG = /[A-Za-z0-9_-]{20,}/g;
const CANARY = /cn(\d+)x[0-9a-f]{12}/g;

/** Random texts mix cases and digits; names, codes and paths do not. JWTs of users with equal names start alike. */
const isRandom = (text: string): boolean =>
	/[0-9]/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && !text.startsWith("eyJ");

/** Searches everything a caller received for data of others. Returns what it found. */
export const createAnswerOracle = (owners: Owners) => {
	let checked = 0;
	const foreignIn = (request: Request, answer: Answer, scope: Tenant): string[] => {
		const found: string[] = [];
		const told = [answer.text, ...answer.outbox.map((message) => JSON.stringify(message))].join("\n");
		let sent: string | null = null;
		const saidByCaller = (text: string): boolean => {
			sent ??= JSON.stringify([request, [...(request.cookies ?? [])]]);
			return sent.includes(text);
		};
		for (const [canary = "", serial] of told.matchAll(CANARY)) {
			checked += 1;
			if (Number(serial) !== scope.serial && !saidByCaller(canary)) found.push(`canary of tenant ${serial}`);
		}
		for (const [text] of told.matchAll(LONG)) {
			if (!isRandom(text)) continue;
			const known = owners.ownerOf(text);
			if (known === scope.serial) continue;
			// what the caller sent reveals nothing
			if (saidByCaller(text)) continue;
			const other = owners.claim(text, scope.serial);
			if (other !== null) found.push(`${text.slice(0, 8)}… of tenant ${other}`);
		}
		return found;
	};
	return { foreignIn, canaryChecks: () => checked };
};
