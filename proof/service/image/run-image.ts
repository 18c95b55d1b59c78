import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { newTenant, PASSWORD, pick, show, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { freePort } from "test-kit/servers/free-port";
import { startPostgres } from "test-kit/servers/postgres-server";
import * as z from "zod";
import type { RunOptions } from "../part.ts";
import { buildImage, bytesOf, type Image } from "./builder.ts";
import { contain } from "./contain.ts";

export type ImageResult = {
	/** of what we add to the base image */
	bytes: number;
	packages: number;
	bundled: number;
	/** of all processes together; null if the machine cannot limit it */
	peakMemory: number | null;
	/** from the start of `serve` until `/readyz` says ok */
	readyAfterMs: number;
};

/** As orchestrators limit it. */
export const showMemory = (bytes: number): string => `${Math.round(bytes / 1_048_576)} of 512 MiB`;

/** What we add to a base image. */
const MOST_BYTES = 80_000_000;
const EMAIL = "ada@example.com";

const sbom = z.object({ components: z.array(z.object({ properties: z.array(z.unknown()).optional() })) });

/** Builds the image as its Dockerfile says, and starts it as an orchestrator would. */
export const runImage = async ({ log }: RunOptions): Promise<Outcome<ImageResult>> => {
	const folder = await mkdtemp(join(tmpdir(), "image-"));
	const postgres = await startPostgres();
	try {
		const image = await buildImage(folder, log);
		const service = join(image.root, "service");
		const bytes = await bytesOf(service);
		const { components } = sbom.parse(JSON.parse(await readFile(join(service, "sbom.cdx.json"), "utf8")));
		const { wrong, peakMemory, readyAfterMs } = await useImage(image, postgres.url, log);
		if (bytes > MOST_BYTES) wrong.push(`what we add has ${bytes} bytes`);
		const bundled = components.filter(({ properties }) => properties).length;
		return {
			result: { bytes, packages: components.length, bundled, peakMemory, readyAfterMs },
			wrong,
			lines: [
				`${(bytes / 1_000_000).toFixed(1)} MB on the base image, ${components.length} packages in its SBOM, ${bundled} of them bundled`,
				`ready after ${readyAfterMs} ms, ${peakMemory === null ? "memory not limited on this machine" : `${showMemory(peakMemory)} at most`}`,
			],
		};
	} finally {
		await postgres.close();
		await rm(folder, { recursive: true, force: true });
	}
};

const useImage = async (image: Image, databaseUrl: string, log: (line: string) => void) => {
	const wrong: string[] = [];
	const expect = (what: string, holds: boolean, seen = ""): void => {
		if (!holds) wrong.push(`${what}${seen && `: ${seen.slice(-600)}`}`);
	};
	const port = await freePort();
	const contained = contain(image, {
		AUTH_URL: `http://127.0.0.1:${port}`,
		AUTH_SECRET: randomBytes(32).toString("base64"),
		MANAGEMENT_KEYS: MANAGEMENT_KEY,
		DATABASE_URL: databaseUrl,
		REQUIRE_EMAIL_VERIFICATION: "false",
		PLUGINS: "admin,tenant-admin",
		CONSOLE: "true",
		PAGES: "true",
		TENANT_RESOLVER: "path",
		HOST: "127.0.0.1",
		PORT: String(port),
	});
	const ends = async (what: string, code: number, program: string[], says = /./): Promise<void> => {
		const ended = await contained.run(program);
		expect(`${what} ended with ${ended.code}`, ended.code === code && says.test(ended.text), ended.text);
		log(what);
	};
	let running: ReturnType<typeof contained.serve> | null = null;
	try {
		await ends("doctor, before the tables are there", 1, contained.command("doctor"), /migrate/);
		await ends("migrate", 0, contained.command("migrate"), /created table tenant/);
		await ends("doctor", 0, contained.command("doctor"));
		await ends("a native module", 0, [
			...["node", "--input-type=module", "--eval"],
			'const { hash, verify } = await import("@node-rs/bcrypt"); console.log(await verify("a", await hash("a", 4)) ? "works" : process.exit(1));',
		]);
		await ends("a file cannot be written", 2, ["sh", "-c", "echo x > /service/x"], /Read-only file system/);

		const began = performance.now();
		running = contained.serve();
		await running.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
		const readyAfterMs = Math.round(performance.now() - began);
		for (const line of await findRights(contained)) wrong.push(line);
		await signIn(`http://127.0.0.1:${port}`, expect);
		log("a sign-in, the pages and the console");
		const peakMemory = contained.peak();
		expect("SIGTERM ended serve", (await running.stop()) === 0, running.lines.join("\n"));
		return { wrong, peakMemory, readyAfterMs };
	} finally {
		await running?.end("SIGKILL");
		contained.close();
	}
};

/** What a program of the image may do beyond its own. */
const findRights = async (contained: ReturnType<typeof contain>): Promise<string[]> => {
	const { text } = await contained.run(["cat", "/proc/self/status"]);
	const is = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(text)?.[1] ?? "nothing";
	const expected = { Uid: /^1000\t1000/, CapEff: /^0+$/, CapBnd: /^0+$/, NoNewPrivs: /^1$/ };
	return Object.entries(expected).flatMap(([name, pattern]) =>
		pattern.test(is(name)) ? [] : [`${name} is ${is(name)}`],
	);
};

const signIn = async (origin: string, expect: (what: string, holds: boolean, seen?: string) => void): Promise<void> => {
	const visitor = new Visitor(() => origin);
	const tenant = await newTenant(visitor, "image");
	const person = { name: "Ada", email: EMAIL, password: PASSWORD };
	const signedUp = await visitor.send("/tenant/sign-up/email", { tenant, body: person });
	expect("a sign-up", signedUp.status === 200, show(signedUp));
	const browser = new Visitor(() => origin);
	const signedIn = await browser.send("/tenant/sign-in/email", { tenant, body: { email: EMAIL, password: PASSWORD } });
	expect("a sign-in", signedIn.status === 200, show(signedIn));
	const session = await browser.send("/get-session");
	expect("the session", pick(session.json, "session", "tenantId") === tenant, show(session));
	for (const path of ["/console/", "/t/image/sign-in"]) {
		const page = await fetch(`${origin}${path}`);
		expect(`${path} is a page`, page.status === 200 && (await page.text()).includes("</html>"), `${page.status}`);
	}
};
