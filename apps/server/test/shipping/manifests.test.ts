import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createProgram } from "../../src/command-line/program.ts";
import { readConfig, VARIABLES } from "../../src/config/config.ts";
import { SECRETS } from "../../src/config/secret-files.ts";
import { longestShutdown } from "../../src/serve/longest-shutdown.ts";
import { checkDeployment, SECRET_VALUES } from "./support/deployment-rules.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const commands = createProgram().commands.map((command) => command.name());
const isKnown = (name: string): boolean =>
	Object.hasOwn(VARIABLES, name) || SECRETS.some((secret) => name === `${secret}_FILE`);

describe("compose.yaml", () => {
	type Service = {
		command?: string[];
		image?: string;
		environment?: Record<string, string>;
		secrets?: string[];
		healthcheck?: { test?: string[]; disable?: boolean };
		deploy?: { resources: { limits: { cpus: string; memory: string } } };
		user?: string;
		stop_grace_period?: string;
	};
	const { services, secrets } = parse(read("compose.yaml"), { merge: true }) as {
		services: Record<string, Service>;
		secrets: Record<string, { file: string }>;
	};
	const own = [services.migrate, services.server];

	it("runs existing commands, migrate before serve", () => {
		expect(own.map((service) => service?.command?.[0])).toEqual(["migrate", "serve"]);
		for (const service of own) expect(commands).toContain(service?.command?.[0]);
	});

	it("sets only known variables, and all required ones", () => {
		for (const service of own) {
			const { environment = {} } = service ?? {};
			expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([]);
			const given = Object.entries(environment).map(([name, value]): [string, string] =>
				name.endsWith("_FILE")
					? [name.slice(0, -5), SECRET_VALUES[name.slice(0, -5) as keyof typeof SECRET_VALUES]]
					: [name, value.replace(/^\$\{\w+:-(.*)\}$/, "$1")],
			);
			expect(readConfig(Object.fromEntries(given)).http.publicURL).toBe("http://localhost:3000");
		}
	});

	it("lets the shutdown complete before the process is killed", () => {
		const seconds = Number(services.server?.stop_grace_period?.replace(/s$/, ""));
		expect(seconds).toBeGreaterThan(longestShutdown({ shutdownDelay: 0, shutdownTimeout: 30 }));
		// as documented
		const others = longestShutdown({ shutdownDelay: 0, shutdownTimeout: 0 });
		for (const document of ["README.md", "kubernetes.yaml"])
			expect(read(document).replace(/\s+/g, " ")).toContain(
				`\`SHUTDOWN_TIMEOUT\` plus ${others} seconds`.replaceAll("`", document === "README.md" ? "`" : ""),
			);
	});

	it("reads every secret from a file outside of version control", () => {
		for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/secrets\//);
		for (const service of Object.values(services)) {
			for (const name of service.secrets ?? []) expect(Object.keys(secrets)).toContain(name);
			// what a service reads is mounted for it
			const read = JSON.stringify(service).matchAll(/\/run\/secrets\/([a-z-]+)/g);
			for (const [, name] of read) expect(service.secrets).toContain(name);
		}
	});

	it("pins versions, limits resources and checks the health of every service", () => {
		for (const [name, { image = "", deploy, healthcheck }] of Object.entries(services)) {
			expect(image, name).toMatch(/:(\d+\.\d+|\$\{VERSION:-\d+\.\d+\.\d+\})/);
			expect(deploy?.resources.limits.memory, name).toMatch(/^\d+[MG]$/);
			expect(Number(deploy?.resources.limits.cpus), name).toBeGreaterThan(0);
			// the server's check is in its image
			expect(healthcheck?.test !== undefined || healthcheck?.disable === true || name === "server", name).toBe(true);
		}
	});
});

it("has a kubernetes.yaml that fits the code and the schemas of Kubernetes", () => {
	checkDeployment(parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS()));
});
