import type { AuthContext } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import type { Authority } from "../oauth/account-authority.ts";
import type { TenantProviders } from "../oauth/tenant-providers.ts";
import { createSessionEnd } from "./end-stored-sessions.ts";
import type { VerificationEnd } from "./end-verifications.ts";
import type { BatchWith } from "./move-batch.ts";
import { createAccountMoves } from "./moved-accounts.ts";
import type { MoveSettings } from "./plan-move.ts";
import { createStoredKeys } from "./stored-keys.ts";
import { createUserMove, type MoveWith, type UserMove } from "./user-move.ts";
import type { UserTable } from "./user-tables.ts";

type StartWith = Pick<BatchWith, "adapter" | "raw" | "assertMayLeave"> &
	Pick<MoveWith, "tenants" | "assertTenantsOpen" | "secrets" | "drainTime"> & {
		/** the engine's own storage, unscoped */
		storage: SecondaryStorage | undefined;
		userTables: UserTable[];
		verifications: VerificationEnd;
		providers: Pick<TenantProviders, "load">;
		globalProviders: () => OAuthProvider[];
		genericAuthority: (providerId: string) => Authority;
	};

/** Builds the move of users from the engine's context. */
export const startUserMove = (context: AuthContext, parts: StartWith): UserMove => {
	const schema = context.tables;
	const { storage, providers, globalProviders, genericAuthority } = parts;
	return createUserMove({
		...parts,
		endSessions: createSessionEnd({ storage, options: () => context.options }),
		storedKeys: createStoredKeys(storage, "apikey" in schema),
		accountMoves: createAccountMoves({
			providers,
			globalProviders,
			genericAuthority,
			hasWallets: "walletAddress" in schema,
		}),
		settings: () => readSettings(context),
	});
};

const admin = z.looseObject({ defaultRole: z.string() });
const twoFactor = z.looseObject({ backupCodeOptions: z.looseObject({ storeBackupCodes: z.looseObject({}) }) });

const readSettings = ({ options }: AuthContext): MoveSettings => {
	const optionsOf = (id: string): unknown => options.plugins?.find((plugin) => plugin.id === id)?.options;
	return {
		encryptsTokens: options.account?.encryptOAuthTokens ?? false,
		hasOwnEncryption: twoFactor.safeParse(optionsOf("two-factor")).success,
		defaultRole: admin.safeParse(optionsOf("admin")).data?.defaultRole ?? "user",
	};
};
