import { randomBytes } from "node:crypto";
import { type Config, readConfig } from "../../src/config/config.ts";
import type { Environment } from "../../src/config/secret-files.ts";
import { type Service, serve } from "../../src/serve/serve.ts";
import { createTestDatabase } from "./database.ts";
import { AUTH_URL, MANAGEMENT_KEY, testEnvironment } from "./environment.ts";
import { keepLog } from "./log.ts";

const PASSWORD = "correct horse battery";

type WorldOptions = {
	environment?: Environment;
	/** for settings without a variable, such as a free metrics port */
	adjust?: (config: Config) => Config;
};

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * A separate database with tables, and any number of servers on it. `close()` ends all of them and drops the database.
 */
export const createWorld = async ({ environment = {}, adjust = (config) => config }: WorldOptions = {}) => {
	const configOf = (databaseURL: string) => adjust(readConfig(testEnvironment(databaseURL, environment)));
	const database = await createTestDatabase(configOf);
	const config = configOf(database.url);
	const log = keepLog("debug");
	const services: Service[] = [];

	return {
		config,
		database,
		log,
		/** Starts a server, with the same configuration or a changed one. */
		start: async (changed: Partial<Config> = {}) => {
			const service = await serve({ ...config, ...changed }, log);
			services.push(service);
			return { ...service, ...createCaller(`http://127.0.0.1:${service.port}`, config.http.basePath) };
		},
		close: async () => {
			await Promise.all(services.map((service) => service.close()));
			await database.drop();
		},
	};
};

/** API calls for tests. */
const createCaller = (url: string, basePath: string) => {
	const call = (path: string, init: RequestInit = {}): Promise<Response> =>
		fetch(`${url}${path}`, { redirect: "manual", ...init });
	const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
		call(`${basePath}${path}`, {
			method: "POST",
			// Node's fetch sends sec-fetch-mode like a browser, and the engine then requires an origin
			headers: { "content-type": "application/json", origin: AUTH_URL, ...headers },
			body: JSON.stringify(body),
		});
	return {
		url,
		/** any path of the server */
		call,
		/** JSON to an endpoint of the engine */
		post,
		/** creates a tenant and returns its id */
		createTenant: async (slug = `tenant-${randomBytes(4).toString("hex")}`): Promise<string> => {
			const answer = await post("/tenant/create", { name: slug, slug }, { authorization: `Bearer ${MANAGEMENT_KEY}` });
			const { id } = (await answer.json()) as { id: string };
			return id;
		},
		/** creates a user of a tenant; the response has their cookies */
		signUp: (tenantId: string, email: string, password = PASSWORD): Promise<Response> =>
			post("/tenant/sign-up/email", { tenantId, email, password, name: "Ada" }),
		signIn: (tenantId: string, email: string, password = PASSWORD): Promise<Response> =>
			post("/tenant/sign-in/email", { tenantId, email, password }),
	};
};
