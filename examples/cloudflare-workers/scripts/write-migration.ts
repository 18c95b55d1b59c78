import { writeFileSync } from "node:fs";
import { getMigrations } from "better-auth/db/migration";
import Database from "better-sqlite3";
import { createOptions } from "../src/options.ts";

// D1 is SQLite, so the tables of an empty SQLite database are those of an empty D1 database
const env = { BASE_URL: "http://localhost:3000", BETTER_AUTH_SECRET: "not used to create tables: no secret here" };
const { compileMigrations } = await getMigrations(createOptions(env, new Database(":memory:")));
writeFileSync("migrations/0001_tables.sql", `${await compileMigrations()}\n`);
