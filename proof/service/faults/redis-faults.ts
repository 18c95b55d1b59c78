import { PASSWORD, pick } from "test-kit/load/visitor";
import { freePort } from "test-kit/servers/free-port";
import { startRedis } from "test-kit/servers/redis-server";
import { createJudge, type Fault } from "./fault.ts";
import { type Stage, signInPeople } from "./stage.ts";

const PEOPLE = 10;

/** Starts the service on a Redis that it cannot use, and waits until it exits. */
const refusesToStart = async (stage: Stage, url: string) => {
	const judge = createJudge();
	const service = await stage.prepare({ REDIS_URL: url });
	const child = service.spawn();
	const code = await child.exited;
	judge.equal("exit code", code, 1);
	const said = child.lines.find((line) => /Redis/.test(line));
	if (!said) judge.wrong.push("the output does not name Redis");
	return { outcome: `exits with ${code} and names the variable`, lost: 0, wrong: judge.wrong };
};

const withPeople = async (stage: Stage) => {
	const redis = await startRedis({ persistent: true });
	stage.onEnd(redis.close);
	const service = await stage.prepare({ REDIS_URL: redis.url });
	await service.start();
	const { people, tenantId } = await signInPeople(service.visitor, PEOPLE);
	const signedIn = async (): Promise<number> => {
		const answers = await Promise.all(people.map((person) => person.copy().send("/get-session")));
		return answers.filter(({ status, json }) => status === 200 && json !== null).length;
	};
	return { redis, service, people, tenantId, signedIn };
};

export const REDIS_FAULTS: Fault[] = [
	{
		name: "Redis is not there at startup",
		run: async (stage) => {
			const judge = createJudge();
			const service = await stage.prepare({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
			await service.start();
			const { people } = await signInPeople(service.visitor, PEOPLE);
			const ready = await fetch(`${service.origin}/readyz`);
			judge.equal("/readyz without Redis", [ready.status, pick(await ready.json(), "status")], [200, "degraded"]);
			return { outcome: `starts, and ${people.length} users sign in`, lost: 0, wrong: judge.wrong };
		},
	},
	{
		name: "The password of Redis is wrong",
		run: async (stage) => {
			const redis = await startRedis({ password: "right" });
			stage.onEnd(redis.close);
			return refusesToStart(stage, redis.url.replace("right", "wrong"));
		},
	},
	{
		name: "A node of a Redis Cluster",
		run: async (stage) => {
			const redis = await startRedis({ cluster: true });
			stage.onEnd(redis.close);
			return refusesToStart(stage, redis.url);
		},
	},
	{
		name: "Redis is lost while users are signed in, and comes back",
		run: async (stage) => {
			const judge = createJudge();
			const { redis, service, tenantId, signedIn } = await withPeople(stage);
			await redis.stop();
			const meanwhile = await signedIn();
			judge.equal("sessions without Redis", meanwhile, PEOPLE);
			const body = { tenantId, email: "ada-0@example.com", password: PASSWORD };
			const signIn = await service.visitor().send("/tenant/sign-in/email", { body });
			judge.equal("sign-in without Redis", signIn.status, 200);
			const ready = await fetch(`${service.origin}/readyz`);
			judge.equal("/readyz without Redis", [ready.status, pick(await ready.json(), "status")], [200, "degraded"]);
			await redis.start();
			const after = await service.visitor().send("/tenant/sign-in/email", { body });
			judge.equal("sign-in after Redis is back", after.status, 200);
			const kept = await signedIn();
			judge.equal("sessions after Redis is back", kept, PEOPLE);
			return {
				outcome: `${meanwhile} of ${PEOPLE} session checks and a sign-in succeed without Redis, /readyz stays ${ready.status}`,
				lost: PEOPLE - kept,
				wrong: judge.wrong,
			};
		},
	},
	{
		name: "Redis loses its data, and a user ends all other sessions",
		run: async (stage) => {
			const judge = createJudge();
			const { redis, service, tenantId, signedIn, people } = await withPeople(stage);
			const second = service.visitor();
			const body = { tenantId, email: "ada-0@example.com", password: PASSWORD };
			judge.equal("second sign-in", (await second.send("/tenant/sign-in/email", { body })).status, 200);
			await redis.flush();
			const kept = await signedIn();
			judge.equal("sessions", kept, PEOPLE);
			const listed = await people[0]?.copy().send("/list-sessions");
			judge.equal("listed sessions", Array.isArray(listed?.json) && listed.json.length, 2);
			judge.equal("revocation", (await people[0]?.copy().send("/revoke-other-sessions", { body: {} }))?.status, 200);
			const other = await second.send("/get-session");
			judge.equal("the ended session", other.json, null);
			return {
				outcome: `${kept} of ${PEOPLE} users stay signed in, the other session is listed and ended`,
				lost: PEOPLE - kept,
				wrong: judge.wrong,
			};
		},
	},
];
