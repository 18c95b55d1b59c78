import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { LEAST, mistakesOf } from "./environment.ts";

const GUIDE = readFileSync(new URL("../../../../docs/guides/b2b.md", import.meta.url), "utf8");

it("accepts the variables of docs/guides/b2b.md", () => {
	const block = GUIDE.match(/<!-- b2b:service -->\n\n```sh\n([\s\S]*?)```/)?.[1] ?? "";
	const variables = parseEnv(block);
	expect(variables).toMatchObject({ CONSOLE: "true", TENANT_POLICY: "true" });
	const { REQUIRE_EMAIL_VERIFICATION: _, ...least } = LEAST;
	expect(mistakesOf({ ...least, ...variables } as Record<string, string>)).toEqual([]);
});
