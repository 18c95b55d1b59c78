import type { Ledger } from "./ledger.ts";
import { PASSWORD, show, Visitor } from "./visitor.ts";

/** Checks after recovery that everything acknowledged exists and everything revoked is rejected. */
export const findLost = async (ledger: Ledger, origin: () => string): Promise<string[]> => {
	const complaints: string[] = [];
	await inParallel(ledger.people, async ({ tenantId, email }) => {
		const answer = await new Visitor(origin).send("/tenant/sign-in/email", {
			body: { tenantId, email, password: PASSWORD },
		});
		if (answer.status !== 200) complaints.push(`the acknowledged ${email} cannot sign in: ${show(answer)}`);
	});
	return [...complaints, ...(await findRevived(ledger))];
};

/** Checks that everything revoked is rejected. */
export const findRevived = async (ledger: Ledger): Promise<string[]> => {
	const complaints: string[] = [];
	await inParallel(ledger.revoked, async ({ visitor }) => {
		const session = await visitor.copy().send("/get-session");
		if (session.status !== 200 || session.json !== null)
			complaints.push(`a revoked session is not refused: ${show(session)}`);
		const listed = await visitor.copy().send("/list-sessions");
		if (listed.status !== 401) complaints.push(`a revoked session lists sessions: ${show(listed)}`);
	});
	return complaints;
};

const AT_ONCE = 8;

const inParallel = async <Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> => {
	const left = [...items];
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
		}),
	);
};
