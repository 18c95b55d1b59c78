import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createProgram } from "../../src/command-line/program.ts";
import { readConfig, VARIABLES } from "../../src/config/config.ts";
import { SECRETS } from "../../src/config/secret-files.ts";
import { longestShutdown } from "../../src/serve/longest-shutdown.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const commands = createProgram().commands.map((command) => command.name());
const isKnown = (name: string): boolean =>
	Object.hasOwn(VARIABLES, name) || SECRETS.some((secret) => name === `${secret}_FILE`);

/** Placeholders for secrets, so the rest can be read like the server does. */
const SECRET_VALUES = {
	AUTH_SECRET: "x".repeat(32),
	MANAGEMENT_KEYS: "y".repeat(32),
	DATABASE_URL: "postgres://me@host/name",
	REDIS_URL: "redis://host:6379",
	SMTP_URL: "smtp://host:587",
};

describe("compose.yaml", () => {
	type Service = {
		command?: string[];
		environment?: Record<string, string>;
		secrets?: string[];
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
		for (const service of Object.values(services))
			for (const name of service.secrets ?? []) expect(Object.keys(secrets)).toContain(name);
	});
});

describe("kubernetes.yaml", () => {
	const documents = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
	const of = (kind: string) => documents.find((document) => document.kind === kind);
	const containers = ["Job", "Deployment"].map((kind) => of(kind).spec.template.spec.containers[0]);

	it("runs existing commands", () => {
		expect(containers.map(({ args }) => args)).toEqual([["migrate"], ["serve"]]);
	});

	it("sets only known variables, and all required ones together with the secret", () => {
		const { data } = of("ConfigMap");
		expect(Object.keys(data).filter((name) => !isKnown(name))).toEqual([]);
		const config = readConfig({ ...data, ...SECRET_VALUES });
		const { port } = containers[1].ports.find(({ name }: { name: string }) => name === "metrics")
			? { port: 9464 }
			: { port: 0 };
		expect(config.observe.metrics?.port).toBe(port);
		// the shutdown must complete before the process is killed
		const { terminationGracePeriodSeconds } = of("Deployment").spec.template.spec;
		expect(terminationGracePeriodSeconds).toBeGreaterThan(longestShutdown(config.http));
	});

	it("probes existing paths, and restricts its containers", () => {
		// where probes do not wait behind a burst on the public port
		expect(containers[1].livenessProbe.httpGet).toEqual({ path: "/livez", port: "metrics" });
		expect(containers[1].readinessProbe.httpGet).toEqual({ path: "/readyz", port: "metrics" });
		for (const { securityContext } of containers)
			expect(securityContext).toEqual({
				runAsNonRoot: true,
				readOnlyRootFilesystem: true,
				allowPrivilegeEscalation: false,
				capabilities: { drop: ["ALL"] },
			});
	});
});
