import type { Roll } from "../model/roll.ts";
import { OTHERS, TENANT } from "./shop.ts";

type Model = "country" | "customer" | "invoice";
type Values = Record<string, unknown>;
/** A call of a generated client. */
export type PrismaCall = { model: Model; operation: string; args: Values };

const SCALARS: Record<Model, readonly [string, ...string[]]> = {
	country: ["code", "label"],
	customer: ["tenantId", "id", "name", "rank"],
	invoice: ["tenantId", "id", "customerId", "countryCode", "amount"],
};
const RELATIONS: Record<Model, readonly { name: string; to: Model; isList: boolean }[]> = {
	country: [{ name: "invoices", to: "invoice", isList: true }],
	customer: [{ name: "invoices", to: "invoice", isList: true }],
	invoice: [
		{ name: "customer", to: "customer", isList: false },
		{ name: "country", to: "country", isList: false },
	],
};
const KEYS: Record<Model, readonly string[]> = {
	country: ["code"],
	customer: ["tenantId", "id"],
	invoice: ["tenantId", "id"],
};

const numberOf = (roll: Roll): number => roll.oneOf([107, 201, 202, 207, 214, 307, 0]);
const textOf = (roll: Roll): string => roll.oneOf(["i1", "i2", "c1", "c2", "DE", "FR", "b customer 1", "a customer 1"]);
const tenantOf = (roll: Roll): string => roll.oneOf([TENANT, TENANT, ...OTHERS]);
const valueFor = (roll: Roll, field: string): unknown =>
	field === "tenantId" ? tenantOf(roll) : field === "amount" || field === "rank" ? numberOf(roll) : textOf(roll);

const whereOf = (roll: Roll, model: Model, depth = 0): Values => {
	const field = roll.oneOf(SCALARS[model]);
	const relation = roll.pick(RELATIONS[model]);
	const again = () => whereOf(roll, model, depth + 1);
	const value = valueFor(roll, field);
	switch (roll.below(depth > 2 ? 4 : 10)) {
		case 0:
			return { [field]: value };
		case 1:
			return { [field]: { not: value } };
		case 2:
			return { [field]: { in: [value, valueFor(roll, field)] } };
		case 3:
			return { [field]: { gte: value } };
		case 4:
			return { AND: [again(), again()] };
		case 5:
			return { OR: [again(), again()], ...(roll.chance(30) ? again() : {}) };
		case 6:
			return { NOT: roll.chance(50) ? again() : [again()] };
		default: {
			if (!relation) return again();
			const inner = whereOf(roll, relation.to, depth + 1);
			if (relation.isList) return { [relation.name]: { [roll.oneOf(["some", "every", "none"])]: inner } };
			return { [relation.name]: roll.chance(30) ? inner : { [roll.oneOf(["is", "isNot"])]: inner } };
		}
	}
};

const uniqueOf = (roll: Roll, model: Model): Values =>
	model === "country"
		? { code: roll.oneOf(["DE", "FR", "XX"]) }
		: { tenantId_id: { tenantId: tenantOf(roll), id: roll.oneOf(["i1", "i3", "c1", "c3"]) } };

const orderOf = (roll: Roll, model: Model): Values[] => {
	const relation = roll.pick(RELATIONS[model]);
	const byRelation = relation?.isList
		? { [relation.name]: { _count: "asc" } }
		: relation && { [relation.name]: { [SCALARS[relation.to].at(-1) ?? ""]: "desc" } };
	return [
		...(byRelation && roll.chance(30) ? [byRelation] : []),
		...(roll.chance(50) ? [{ [roll.oneOf(SCALARS[model])]: roll.oneOf(["asc", "desc"]) }] : []),
		...KEYS[model].map((key) => ({ [key]: "asc" })),
	];
};

const includeOf = (roll: Roll, model: Model, depth = 0): Values => {
	const chosen = RELATIONS[model].filter(() => roll.chance(70));
	const entries = chosen.map(({ name, to, isList }): [string, unknown] => {
		const nested = depth < 2 && roll.chance(50) ? { include: includeOf(roll, to, depth + 1) } : {};
		const where = isList && roll.chance(40) ? { where: whereOf(roll, to, 1) } : {};
		const page = isList && roll.chance(20) ? { orderBy: orderOf(roll, to), take: 2 } : {};
		const isEmpty = Object.keys({ ...nested, ...where, ...page }).length === 0;
		return [name, isEmpty || roll.chance(20) ? true : { ...nested, ...where, ...page }];
	});
	const lists = RELATIONS[model].filter(({ isList }) => isList);
	const count = lists.map(({ name, to }): [string, unknown] => [
		name,
		roll.chance(50) ? true : { where: whereOf(roll, to, 2) },
	]);
	return {
		...Object.fromEntries(entries.filter(([, value]) => JSON.stringify(value) !== '{"include":{}}')),
		...(lists.length > 0 && roll.chance(30) ? { _count: { select: Object.fromEntries(count) } } : {}),
	};
};

const dataOf = (roll: Roll, model: Model, isCreate: boolean): Values => {
	const fields = SCALARS[model].filter((field) => field !== "tenantId" && !KEYS[model].includes(field));
	const row: Values = Object.fromEntries(
		fields.filter(() => roll.chance(60)).map((field) => [field, valueFor(roll, field)]),
	);
	if (isCreate)
		Object.assign(
			row,
			model === "country" ? { code: roll.oneOf(["XX", "DE"]) } : { id: roll.oneOf(["new", "i1", "c1"]) },
		);
	if (model !== "country" && roll.chance(10))
		row.tenantId = isCreate ? tenantOf(roll) : roll.oneOf<unknown>([tenantOf(roll), { set: "a" }]);
	const relation = roll.pick(RELATIONS[model]);
	if (relation && roll.chance(10)) row[relation.name] = nestedWriteOf(roll, relation.to, relation.isList);
	return row;
};

const nestedWriteOf = (roll: Roll, to: Model, isList: boolean): Values => {
	const where = uniqueOf(roll, to);
	const create = { id: "nested", ...(to === "country" ? { code: "YY", id: undefined } : { tenantId: tenantOf(roll) }) };
	const data = to === "country" ? { label: "x" } : to === "invoice" ? { amount: 0 } : { rank: 0 };
	return roll.oneOf<Values>([
		{ connect: where },
		{ create },
		{ connectOrCreate: { where, create } },
		{ update: isList ? { where, data } : data },
		{ upsert: isList ? { where, create, update: data } : { create, update: data } },
		...(isList ? [{ set: [] }, { disconnect: where }, { deleteMany: {} }, { updateMany: { where: {}, data } }] : []),
	]);
};

const selectionOf = (roll: Roll, model: Model): Values => {
	if (roll.chance(45)) {
		const include = includeOf(roll, model);
		return Object.keys(include).length > 0 ? { include } : {};
	}
	return roll.chance(20) ? { select: { [roll.oneOf(SCALARS[model])]: true, ...includeOf(roll, model, 1) } } : {};
};

const READS: Record<string, (roll: Roll, model: Model) => Values> = {
	findMany: (roll, model) => ({
		where: whereOf(roll, model),
		...selectionOf(roll, model),
		...(roll.chance(40) ? { orderBy: orderOf(roll, model), take: 1 + roll.below(4), skip: roll.below(2) } : {}),
		...(roll.chance(15) ? { cursor: uniqueOf(roll, model), orderBy: orderOf(roll, model) } : {}),
	}),
	findFirst: (roll, model) => ({
		where: whereOf(roll, model),
		orderBy: orderOf(roll, model),
		...selectionOf(roll, model),
	}),
	findUnique: (roll, model) => ({
		where: { ...uniqueOf(roll, model), ...(roll.chance(40) ? whereOf(roll, model) : {}) },
		...selectionOf(roll, model),
	}),
	count: (roll, model) => ({ where: whereOf(roll, model) }),
	aggregate: (roll, model) => ({
		where: whereOf(roll, model),
		_count: true,
		...(model === "invoice" ? { _sum: { amount: true }, _max: { amount: true } } : {}),
	}),
	groupBy: (roll, model) => ({ by: [roll.oneOf(SCALARS[model])], where: whereOf(roll, model), _count: true }),
};

const WRITES: Record<string, (roll: Roll, model: Model) => Values> = {
	create: (roll, model) => ({ data: dataOf(roll, model, true), ...selectionOf(roll, model) }),
	createMany: (roll, model) => ({ data: [dataOf(roll, model, true)], skipDuplicates: roll.chance(50) }),
	createManyAndReturn: (roll, model) => ({ data: [dataOf(roll, model, true)], skipDuplicates: roll.chance(50) }),
	update: (roll, model) => ({
		where: uniqueOf(roll, model),
		data: dataOf(roll, model, false),
		...selectionOf(roll, model),
	}),
	updateMany: (roll, model) => ({ where: whereOf(roll, model), data: dataOf(roll, model, false) }),
	updateManyAndReturn: (roll, model) => ({ where: whereOf(roll, model), data: dataOf(roll, model, false) }),
	upsert: (roll, model) => ({
		where: uniqueOf(roll, model),
		create: dataOf(roll, model, true),
		update: dataOf(roll, model, false),
	}),
	delete: (roll, model) => ({ where: uniqueOf(roll, model), ...selectionOf(roll, model) }),
	deleteMany: (roll, model) => ({ where: whereOf(roll, model) }),
};

/** A random call. The same roll gives the same call. */
export const prismaCall = (roll: Roll): PrismaCall & { isWrite: boolean } => {
	const isWrite = roll.chance(35);
	const operations = isWrite ? WRITES : READS;
	const names = isWrite ? Object.keys(WRITES) : [...Object.keys(READS), "findMany", "findMany", "findMany"];
	const operation = roll.pick(names) ?? "findMany";
	const model = roll.oneOf<Model>(["invoice", "invoice", "customer", "country"]);
	return { model, operation, args: operations[operation]?.(roll, model) ?? {}, isWrite };
};
