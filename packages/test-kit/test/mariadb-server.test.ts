import { createConnection, type RowDataPacket } from "mysql2/promise";
import { describe, expect, it } from "vitest";
import { isMariadbInstalled, startMariadb } from "../src/servers/mariadb-server.ts";
import { memoryFolder } from "../src/servers/memory-folder.ts";

describe.runIf(isMariadbInstalled())("a MariaDB server for tests", () => {
	it("keeps its temporary tables in a folder that no other server cleans", async () => {
		const servers = await Promise.all([startMariadb(memoryFolder()), startMariadb(memoryFolder())]);
		try {
			const folders = await Promise.all(servers.map(({ url }) => temporaryFolder(url)));
			expect(folders[0]).toMatch(/tests-mariadb-/);
			expect(new Set(folders).size).toBe(2);
		} finally {
			await Promise.all(servers.map((server) => server.close()));
		}
	});
});

const temporaryFolder = async (uri: string): Promise<string> => {
	const connection = await createConnection({ uri });
	const [rows] = await connection.query<({ folder: string } & RowDataPacket)[]>("select @@tmpdir as folder");
	await connection.end();
	return rows[0]?.folder ?? "";
};
