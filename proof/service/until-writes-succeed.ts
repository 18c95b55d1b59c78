import { setTimeout as wait } from "node:timers/promises";
import { PASSWORD, show, Visitor } from "test-kit/load/visitor";

const GIVE_UP_MS = 60_000;
/** A single write may succeed between two failures. */
const IN_A_ROW = 4;

/** Waits until sign-ins of one user succeed several times in a row. Each writes a session. */
export const untilWritesSucceed = async (origin: string, tenantId: string): Promise<void> => {
	const credentials = { tenantId, email: `writer-${crypto.randomUUID()}@example.com`, password: PASSWORD };
	const deadline = Date.now() + GIVE_UP_MS;
	let path = "/tenant/sign-up/email";
	for (let successes = 0; successes < IN_A_ROW; ) {
		const body = path.includes("sign-up") ? { ...credentials, name: "Writer" } : credentials;
		const answer = await new Visitor(() => origin).send(path, { body });
		const isThere = answer.status === 200 || answer.code === "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL";
		if (isThere) path = "/tenant/sign-in/email";
		successes = answer.status === 200 ? successes + 1 : 0;
		if (Date.now() > deadline) throw new Error(`writes are still refused: ${show(answer)}`);
		if (answer.status !== 200) await wait(50);
	}
};
