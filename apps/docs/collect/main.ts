import { cpSync } from "node:fs";
import { join } from "node:path";
import { collect } from "./collect.ts";

const APP = join(import.meta.dirname, "..");
const content = join(APP, "src/content/docs");
const served = join(APP, "public");

const count = collect({ content, served });
cpSync(join(APP, "src/own/docs"), content, { recursive: true });
cpSync(join(APP, "static"), served, { recursive: true });
console.log(`Collected ${count} pages.`);
