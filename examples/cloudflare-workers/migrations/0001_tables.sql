create table "user" ("id" text not null primary key, "name" text not null, "email" text not null, "emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null, "tenantId" text not null);

create table "session" ("id" text not null primary key, "expiresAt" date not null, "token" text not null unique, "createdAt" date not null, "updatedAt" date not null, "ipAddress" text, "userAgent" text, "userId" text not null references "user" ("id") on delete cascade, "tenantId" text not null, "operatorId" text);

create table "account" ("id" text not null primary key, "accountId" text not null, "providerId" text not null, "userId" text not null references "user" ("id") on delete cascade, "accessToken" text, "refreshToken" text, "idToken" text, "accessTokenExpiresAt" date, "refreshTokenExpiresAt" date, "scope" text, "password" text, "createdAt" date not null, "updatedAt" date not null, "tenantId" text not null);

create table "verification" ("id" text not null primary key, "identifier" text not null, "value" text not null, "expiresAt" date not null, "createdAt" date not null, "updatedAt" date not null, "tenantId" text not null);

create table "tenant" ("id" text not null primary key, "name" text not null, "slug" text not null unique, "metadata" text, "status" text not null, "unserved" integer, "createdAt" date not null, "updatedAt" date not null);

create table "tenantOauthConfig" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "providerId" text not null, "clientId" text not null, "clientSecret" text not null, "options" text, "scopes" text, "redirectURI" text, "callback" text not null, "enabled" integer not null, "createdAt" date not null, "updatedAt" date not null);

create table "tenantDomain" ("id" text not null primary key, "tenantId" text not null references "tenant" ("id") on delete cascade, "domain" text not null unique, "createdAt" date not null);

create index "session_userId_idx" on "session" ("userId");

create index "session_tenantId_idx" on "session" ("tenantId");

create index "account_userId_idx" on "account" ("userId");

create index "verification_identifier_idx" on "verification" ("identifier");

create index "tenantDomain_tenantId_idx" on "tenantDomain" ("tenantId");

create unique index "user_tenantId_email_uidx" on "user" ("tenantId", "email");

create unique index "account_tenantId_providerId_accountId_uidx" on "account" ("tenantId", "providerId", "accountId");

create index "verification_tenantId_expiresAt_idx" on "verification" ("tenantId", "expiresAt");

create index "tenant_createdAt_idx" on "tenant" ("createdAt");

create unique index "tenantOauthConfig_tenantId_providerId_uidx" on "tenantOauthConfig" ("tenantId", "providerId");
