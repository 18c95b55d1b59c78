import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../compose/support/command-line.ts";
import { blockOf } from "./support/guide.ts";
import { secureShop } from "./support/secure-shop.ts";

const DB = `import { Pool } from "pg";

export const pool = new Pool({ connectionString: process.env.DATABASE_URL });
`;

it("has a test that readers can copy, and that fails without the policies", async () => {
	const { url, query } = await secureShop();
	await query('truncate "invoice", "customer"');
	const folder = temporaryFolder();
	writeFileSync(join(folder, "db.ts"), DB);
	for (const file of ["invoices.ts", "isolation.test.ts"]) writeFileSync(join(folder, file), blockOf(`file:${file}`));
	const run = () =>
		promisify(execFile)(process.execPath, ["--test", join(folder, "isolation.test.ts")], {
			env: { PATH: process.env.PATH, DATABASE_URL: url },
		});
	expect((await run()).stdout).toContain("pass 1");
	await query('truncate "invoice", "customer"');
	await query('alter policy tenant_rows on "invoice" using (true) with check (true)');
	await expect(run()).rejects.toMatchObject({ stdout: expect.stringContaining("fail 1") });
});
