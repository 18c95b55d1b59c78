import { getCurrentAdapter, runWithTransaction } from "@better-auth/core/context";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { InvitationRow } from "./invitation.ts";
import type { Inviter } from "./may-invite.ts";
import type { ResolvedInvitationOptions } from "./options.ts";

type Adapter = Omit<DBTransactionAdapter, "transaction">;
type Draft = Pick<InvitationRow, "email" | "role" | "token"> & {
	/** asked in the transaction, where no role can change */
	findInviter: () => Promise<Inviter>;
};

export type InvitationStore = ReturnType<typeof createInvitationStore>;

const MODEL = "tenantInvitation";
/** Milliseconds in which mails are counted, and for which revoked invitations are kept. */
const DAY = 86_400_000;
/** Milliseconds for which expired invitations are listed. */
const KEPT = 30 * DAY;

type StoreWith = {
	/** the scoped adapter, which limits every call to the tenant of the running code */
	adapter: DBAdapter;
	tenants: Pick<TenantStore, "holdOpen">;
	limits: Pick<ResolvedInvitationOptions, "expiresIn" | "maxOpen" | "mailsPerAddress" | "addressesPerTenant">;
};

/** The running transaction, if there is one: a second connection would wait for it. */
type Current = () => Promise<Adapter>;
/**
 * Runs while no other invitation of the tenant is written, so that parallel calls cannot exceed a limit. A tenant that is
 * being deleted gets no row.
 */
type Alone = <Result>(write: (running: Adapter, now: Date) => Promise<Result>) => Promise<Result>;

/** Stores the invitations of one tenant. Call it in the scope of that tenant. */
export const createInvitationStore = (tenantId: string, { adapter, tenants, limits }: StoreWith) => {
	const current: Current = () => getCurrentAdapter(adapter);
	const alone: Alone = async (write) =>
		runWithTransaction(adapter, async () => {
			// first, as every change of a role does, so that two changes cannot wait for each other
			if (!(await tenants.holdOpen(tenantId)))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return write(await current(), new Date());
		});
	return { ...createReads(current, limits), ...createInviting(alone, limits), ...createEnds(current, alone) };
};

const createReads = (current: Current, limits: Pick<StoreWith["limits"], "maxOpen">) => ({
	/** The invitations that are neither accepted nor revoked, newest first. Includes those that expired lately. */
	list: async (): Promise<InvitationRow[]> =>
		(await current()).findMany<InvitationRow>({
			model: MODEL,
			where: [is("status", "open")],
			sortBy: { field: "createdAt", direction: "desc" },
			limit: limits.maxOpen,
		}),
	find: async (id: string): Promise<InvitationRow> =>
		required(
			await (await current()).findOne<InvitationRow>({ model: MODEL, where: [is("id", id), is("status", "open")] }),
		),
	/** Finds an open invitation by what is stored of its token, or by its address. */
	findOpen: async (by: { token: string } | { email: string }): Promise<InvitationRow | null> => {
		const where = "token" in by ? is("token", by.token) : is("email", by.email);
		const row = await (await current()).findOne<InvitationRow>({ model: MODEL, where: [where] });
		return row && isOpen(row, new Date()) ? row : null;
	},
});

/** The writes that send a mail. They count it, and the caller becomes the inviter. */
const createInviting = (alone: Alone, limits: StoreWith["limits"]) => {
	const expiry = (now: Date): Date => new Date(now.getTime() + limits.expiresIn * 1_000);

	/** Counts one more mail. Throws above a limit. */
	const countMail = async (running: Adapter, row: InvitationRow | null, now: Date) => {
		const since = new Date(now.getTime() - DAY);
		const isCounted = row !== null && row.countedSince > since;
		const sent = isCounted ? row.sent + 1 : 1;
		const isNewAddress = row === null || row.sentAt <= since;
		if (
			sent > limits.mailsPerAddress ||
			(isNewAddress &&
				(await running.count({ model: MODEL, where: [after("sentAt", since)] })) >= limits.addressesPerTenant)
		)
			throw APIError.from("TOO_MANY_REQUESTS", INVITATION_ERROR_CODES.TOO_MANY_INVITATION_MAILS);
		return { sent, countedSince: isCounted ? row.countedSince : now, sentAt: now };
	};

	return {
		/** Invites an address. An expired or revoked invitation to it is replaced. */
		create: ({ email, role, token, findInviter }: Draft): Promise<InvitationRow> =>
			alone(async (running, now) => {
				const inviter = await findInviter();
				await tidy(running, now);
				const known = await running.findOne<InvitationRow>({ model: MODEL, where: [is("email", email)] });
				if (known && isOpen(known, now)) throw APIError.from("CONFLICT", INVITATION_ERROR_CODES.INVITATION_EXISTS);
				if ((await running.count({ model: MODEL, where: openAt(now) })) >= limits.maxOpen)
					throw APIError.from("BAD_REQUEST", INVITATION_ERROR_CODES.TOO_MANY_INVITATIONS);
				const data = {
					email,
					role,
					token,
					status: "open" as const,
					inviterId: inviter.id,
					inviterRole: inviter.role,
					expiresAt: expiry(now),
					createdAt: now,
					...(await countMail(running, known, now)),
				};
				if (!known) return running.create<typeof data, InvitationRow>({ model: MODEL, data });
				return required(
					await running.update<InvitationRow>({ model: MODEL, where: [is("id", known.id)], update: data }),
				);
			}),
		/** Replaces the token of an invitation, if it still grants this role. The caller becomes the inviter. */
		renew: (id: string, { role, token, findInviter }: Omit<Draft, "email">): Promise<InvitationRow> =>
			alone(async (running, now) => {
				const inviter = await findInviter();
				const known = required(await running.findOne<InvitationRow>({ model: MODEL, where: openWith(id, role) }));
				const update = {
					token,
					inviterId: inviter.id,
					inviterRole: inviter.role,
					expiresAt: expiry(now),
					...(await countMail(running, known, now)),
				};
				return required(await running.update<InvitationRow>({ model: MODEL, where: [is("id", id)], update }));
			}),
	};
};

/** The writes that end an invitation. */
const createEnds = (current: Current, alone: Alone) => {
	/** Deletes an open invitation. Returns how many rows were deleted. */
	const remove = async ({ id, token }: Pick<InvitationRow, "id" | "token">): Promise<number> => {
		const running = await current();
		return running.deleteMany({ model: MODEL, where: [is("id", id), is("token", token), ...openAt(new Date())] });
	};

	return {
		/**
		 * Revokes an invitation, if it still grants this role. Its mails still count, so that inviting again does not reset the
		 * limit.
		 */
		revoke: async ({ id, role }: Pick<InvitationRow, "id" | "role">): Promise<void> => {
			const revoked = await (await current()).updateMany({
				model: MODEL,
				where: openWith(id, role),
				update: { status: "revoked" },
			});
			if (revoked === 0) throw notFound();
		},
		/**
		 * Uses an invitation up and runs `use`, in one transaction: if `use` throws, the invitation is open again. Of parallel
		 * calls, one succeeds: the database deletes the row once. The token is compared again, because the invitation may have
		 * been renewed or replaced since it was read.
		 */
		consume: async <Result>(
			invitation: Pick<InvitationRow, "id" | "token">,
			use: () => Promise<Result>,
		): Promise<Result> =>
			alone(async () => {
				if ((await remove(invitation)) !== 1) throw notFound();
				return use();
			}),
		/** Deletes an invitation that nobody needs any more, if it is still there. */
		discard: async (invitation: Pick<InvitationRow, "id" | "token">): Promise<void> => {
			await remove(invitation);
		},
		/** Deletes what is stored about a user, as invited and as inviter. Returns the number of rows. */
		erase: async ({ id, email }: { id: string; email: string }): Promise<number> => {
			const running = await current();
			const invited = await running.deleteMany({ model: MODEL, where: [is("email", email)] });
			return invited + (await running.deleteMany({ model: MODEL, where: [is("inviterId", id)] }));
		},
	};
};

/**
 * Deletes what is neither shown nor counted any more. By ids: MySQL would lock whole ranges of the index, and tenants that
 * invite at the same time would wait for each other.
 */
const tidy = async (running: Adapter, now: Date): Promise<void> => {
	const before = (age: number): Date => new Date(now.getTime() - age);
	const find = (where: Where[]) => running.findMany<{ id: string }>({ model: MODEL, where, select: ["id"] });
	const old = [
		...(await find([is("status", "revoked"), until("sentAt", before(DAY))])),
		...(await find([until("expiresAt", before(KEPT))])),
	];
	for (const { id } of old) await running.deleteMany({ model: MODEL, where: [is("id", id)] });
};

/** The same for an invitation that is missing, expired, revoked, used, or of another tenant. */
export const notFound = (): APIError => APIError.from("NOT_FOUND", INVITATION_ERROR_CODES.INVITATION_NOT_FOUND);

const required = (row: InvitationRow | null): InvitationRow => {
	if (!row) throw notFound();
	return row;
};

const isOpen = ({ status, expiresAt }: InvitationRow, now: Date): boolean => status === "open" && expiresAt > now;

const is = (field: string, value: string): Where => ({ field, value });
const after = (field: string, value: Date): Where => ({ field, value, operator: "gt" });
const until = (field: string, value: Date): Where => ({ field, value, operator: "lte" });
/** An address that is invited again, perhaps with a role that the caller may not grant, keeps its row. */
const openWith = (id: string, role: string): Where[] => [is("id", id), is("status", "open"), is("role", role)];
const openAt = (now: Date): Where[] => [is("status", "open"), after("expiresAt", now)];
