import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createSmsSender } from "../../src/sms/sms-sender.ts";
import { closedPort, startSmsReceiver } from "../plugins/sms-receiver.ts";
import { SMS_SECRET } from "../support/every-plugin.ts";
import { keepLog } from "../support/log.ts";

const MESSAGE = {
	tenantId: "tenant-of-the-test",
	phoneNumber: "+15550100009",
	code: "canary-code",
	purpose: "verification",
} as const;

const PAUSES = { attempts: [0, 1, 1], lastCall: 1 };

/** A sender with short pauses, and a webhook that verifies signatures. */
const begin = async (url?: string, secret = SMS_SECRET) => {
	const receiver = await startSmsReceiver();
	onTestFinished(receiver.close);
	const log = keepLog("debug");
	return { receiver, log, sender: createSmsSender({ url: url ?? receiver.url, secret }, log.logger, PAUSES) };
};

it("delivers a signed message", async () => {
	const { sender, receiver } = await begin();
	await sender.send(MESSAGE);
	expect(receiver.received).toEqual([MESSAGE]);
	expect(sender.counts()).toEqual({ sent: 1, failed: 0, pending: 0 });
});

it("retries a temporary failure with the same id, and gives up on a refusal at once", async () => {
	const { sender, receiver, log } = await begin();
	receiver.answers.push(503, 429);
	await sender.send(MESSAGE);
	expect(receiver.received).toHaveLength(1);
	expect(new Set(receiver.ids).size).toBe(1);
	expect(receiver.ids).toHaveLength(3);
	receiver.answers.push(400);
	await sender.send(MESSAGE);
	expect(receiver.ids).toHaveLength(4);
	expect(sender.counts()).toEqual({ sent: 1, failed: 1, pending: 0 });
	expect(log.text()).not.toMatch(/canary-code|5550100009/);
});

it("does not follow a redirect with a code", async () => {
	const { sender, receiver } = await begin();
	receiver.answers.push(302);
	await sender.send(MESSAGE);
	expect(receiver.requests).toEqual([{ method: "POST", path: "/sms" }]);
	expect(sender.counts().failed).toBe(1);
});

it("is rejected by a webhook with another secret", async () => {
	const { sender, receiver } = await begin(undefined, `whsec_${Buffer.alloc(32, "x").toString("base64")}`);
	await sender.send(MESSAGE);
	expect(receiver.received).toEqual([]);
	expect(sender.counts()).toEqual({ sent: 0, failed: 1, pending: 0 });
});

it("gives up on a webhook that is down, without its path in the log", async () => {
	const { sender, log } = await begin(`http://127.0.0.1:${await closedPort()}/canary-path`);
	await sender.send(MESSAGE);
	expect(sender.counts()).toEqual({ sent: 0, failed: 1, pending: 0 });
	expect(log.text()).toContain("ECONNREFUSED");
	expect(log.text()).not.toContain("canary");
});

it("keeps a bounded number of messages for a webhook that hangs, and ends with the process", async () => {
	const silent = createServer(() => {});
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void silent.close());
	const address = silent.address();
	const port = typeof address === "object" ? address?.port : 0;
	const log = keepLog("silent");
	const sender = createSmsSender({ url: `http://127.0.0.1:${port}/sms`, secret: SMS_SECRET }, log.logger, PAUSES);
	const sent = Array.from({ length: 1_010 }, () => sender.send(MESSAGE));
	expect(sender.counts()).toEqual({ sent: 0, failed: 10, pending: 1_000 });
	await sender.close();
	await Promise.all(sent);
	expect(sender.counts()).toEqual({ sent: 0, failed: 1_010, pending: 0 });
}, 30_000);
