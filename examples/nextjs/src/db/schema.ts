import { relations } from "drizzle-orm";
import {
  pgTable,
  text,
  timestamp,
  boolean,
  index,
  uniqueIndex,
} from "drizzle-orm/pg-core";

export const user = pgTable(
  "user",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").default(false).notNull(),
    image: text("image"),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .defaultNow()
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    tenantId: text("tenant_id").default("platform").notNull(),
  },
  (table) => [
    uniqueIndex("user_tenantId_email_uidx").on(table.tenantId, table.email),
  ],
);

export const session = pgTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: timestamp("expires_at").notNull(),
    token: text("token").notNull().unique(),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    tenantId: text("tenant_id").default("platform").notNull(),
    operatorId: text("operator_id"),
  },
  (table) => [
    index("session_userId_idx").on(table.userId),
    index("session_tenantId_idx").on(table.tenantId),
  ],
);

export const account = pgTable(
  "account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: timestamp("access_token_expires_at"),
    refreshTokenExpiresAt: timestamp("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    tenantId: text("tenant_id").default("platform").notNull(),
  },
  (table) => [
    uniqueIndex("account_tenantId_providerId_accountId_uidx").on(
      table.tenantId,
      table.providerId,
      table.accountId,
    ),
    index("account_userId_idx").on(table.userId),
  ],
);

export const verification = pgTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .defaultNow()
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    tenantId: text("tenant_id").default("platform").notNull(),
  },
  (table) => [
    index("verification_tenantId_expiresAt_idx").on(
      table.tenantId,
      table.expiresAt,
    ),
    index("verification_identifier_idx").on(table.identifier),
  ],
);

export const tenant = pgTable(
  "tenant",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique(),
    metadata: text("metadata"),
    status: text("status").default("active").notNull(),
    unserved: boolean("unserved"),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [index("tenant_createdAt_idx").on(table.createdAt)],
);

export const tenantOauthConfig = pgTable(
  "tenant_oauth_config",
  {
    id: text("id").primaryKey(),
    tenantId: text("tenant_id")
      .notNull()
      .references(() => tenant.id, { onDelete: "cascade" }),
    providerId: text("provider_id").notNull(),
    clientId: text("client_id").notNull(),
    clientSecret: text("client_secret").notNull(),
    options: text("options"),
    scopes: text("scopes"),
    redirectURI: text("redirect_uri"),
    callback: text("callback").notNull(),
    enabled: boolean("enabled").default(true).notNull(),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("tenantOauthConfig_tenantId_providerId_uidx").on(
      table.tenantId,
      table.providerId,
    ),
  ],
);

export const tenantDomain = pgTable(
  "tenant_domain",
  {
    id: text("id").primaryKey(),
    tenantId: text("tenant_id")
      .notNull()
      .references(() => tenant.id, { onDelete: "cascade" }),
    domain: text("domain").notNull().unique(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [index("tenantDomain_tenantId_idx").on(table.tenantId)],
);

export const userRelations = relations(user, ({ many }) => ({
  sessions: many(session),
  accounts: many(account),
}));

export const sessionRelations = relations(session, ({ one }) => ({
  user: one(user, {
    fields: [session.userId],
    references: [user.id],
  }),
}));

export const accountRelations = relations(account, ({ one }) => ({
  user: one(user, {
    fields: [account.userId],
    references: [user.id],
  }),
}));

export const tenantRelations = relations(tenant, ({ many }) => ({
  tenantOauthConfigs: many(tenantOauthConfig),
  tenantDomains: many(tenantDomain),
}));

export const tenantOauthConfigRelations = relations(
  tenantOauthConfig,
  ({ one }) => ({
    tenant: one(tenant, {
      fields: [tenantOauthConfig.tenantId],
      references: [tenant.id],
    }),
  }),
);

export const tenantDomainRelations = relations(tenantDomain, ({ one }) => ({
  tenant: one(tenant, {
    fields: [tenantDomain.tenantId],
    references: [tenant.id],
  }),
}));
