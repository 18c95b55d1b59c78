import type { Locale } from "../../lib/locales.ts";
import { de } from "./de.ts";
import { en, type PageCatalog } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";

export const catalogs: Record<Locale, PageCatalog> = { en, de, fr, es, ja };
