import { NOT_OPEN } from "../../scope/data/closed-by-database.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TableNames } from "../database/names.ts";
import { quoteIn } from "../database/quote.ts";
import {
	type GuardedTable,
	type GuardedTables,
	keepName,
	openName,
	type Trigger,
	type TriggerKind,
} from "./trigger.ts";

const quote = quoteIn("mysql");

/**
 * MySQL checks when a row is written, and the transaction holds a lock until it commits. So the closing of a tenant waits for
 * transactions that have written. The lock is on a copy of the tenant's status, because changes of roles lock the tenant itself:
 * two transactions that write first and lock the tenant then would wait for each other.
 */
export const MYSQL: TriggerKind = {
	prepare: async ({ ask }, { tenant }) => {
		const gate = gateOf(tenant);
		const rows = await ask(
			`select table_name from information_schema.tables where table_schema = database() and table_name = '${gate}'`,
		);
		if (rows.length > 0) return [];
		return [
			`create table ${quote(gate)} (\`tenantId\` varchar(191) character set utf8mb4 collate utf8mb4_bin primary key, \`status\` varchar(191) not null) engine = InnoDB`,
			fillOf(tenant),
		];
	},
	expected: async (_, { tenant, tables }) => [
		...copies(tenant),
		...tables.flatMap((names) => [
			guard(tenant, names, { name: openName(names.table), event: "insert", when: "" }),
			...(names.waysIn.length > 0 ? [keeps(tenant, names)] : []),
		]),
	],
	find: async ({ ask }) => {
		const rows = await ask(
			"select event_object_table as owner, trigger_name as name, action_statement as body from information_schema.triggers where trigger_schema = database()",
		);
		return rows.map((row) => ({ table: String(row.owner), name: String(row.name), body: String(row.body) }));
	},
};

const gateOf = ({ table }: GuardedTables["tenant"]): string => `${table}_status`;

const fillOf = (tenant: TableNames): string =>
	`insert into ${quote(gateOf(tenant))} (\`tenantId\`, \`status\`) select ${quote(tenant.column("id"))}, ${quote(tenant.column("status"))} from ${quote(tenant)} on duplicate key update \`status\` = values(\`status\`)`;

/** Keeps the copy up to date. It is filled when the last of these triggers exists, and before the first one reads it. */
const copies = (tenant: TableNames): Trigger[] => {
	const gate = quote(gateOf(tenant));
	const [id, status] = [quote(tenant.column("id")), quote(tenant.column("status"))];
	const trigger = (event: string, body: string): Trigger => {
		const name = `${tenant.table}_status_${event}`;
		const create = `create trigger ${quote(name)} after ${event} on ${quote(tenant)} for each row ${body}`;
		return { table: tenant.table, name, body, create: [`drop trigger if exists ${quote(name)}`, create] };
	};
	const last = trigger("delete", `delete from ${gate} where \`tenantId\` = old.${id}`);
	return [
		trigger(
			"insert",
			`insert into ${gate} (\`tenantId\`, \`status\`) values (new.${id}, new.${status}) on duplicate key update \`status\` = values(\`status\`)`,
		),
		trigger(
			"update",
			`begin if not (old.${status} <=> new.${status}) then update ${gate} set \`status\` = new.${status} where \`tenantId\` = new.${id}; end if; end`,
		),
		{ ...last, create: [...last.create, fillOf(tenant)] },
	];
};

const keeps = (tenant: TableNames, names: GuardedTable): Trigger =>
	guard(tenant, names, {
		name: keepName(names.table),
		event: "update",
		when: ` and (${names.waysIn.map((name) => `not (old.${quote(name)} <=> new.${quote(name)})`).join(" or ")})`,
	});

const guard = (
	tenant: TableNames,
	names: TableNames,
	{ name, event, when }: { name: string; event: string; when: string },
): Trigger => {
	const column = `new.${quote(names.column("tenantId"))}`;
	const found = `select \`status\` from ${quote(gateOf(tenant))} where \`tenantId\` = ${column} lock in share mode`;
	const body = `begin declare found_status varchar(191); declare refusal varchar(128); if ${column} <> '${PLATFORM}'${when} then set found_status = (${found}); if coalesce(found_status, 'missing') <> 'active' then set refusal = concat('${NOT_OPEN}:', coalesce(found_status, 'missing')); signal sqlstate '45000' set message_text = refusal; end if; end if; end`;
	return {
		table: names.table,
		name,
		body,
		create: [
			`drop trigger if exists ${quote(name)}`,
			`create trigger ${quote(name)} before ${event} on ${quote(names)} for each row ${body}`,
		],
	};
};
