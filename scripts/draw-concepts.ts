import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawDataModel } from "./pictures/data-model.ts";
import type { Theme } from "./pictures/parts.ts";
import { drawPlatform } from "./pictures/platform.ts";
import { drawSessions } from "./pictures/sessions.ts";
import { drawTenantResolution } from "./pictures/tenant-resolution.ts";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

/** The picture of each page of docs/concepts, by the page's name. */
const DRAW: Record<string, (theme: Theme) => string> = {
	"data-model": drawDataModel,
	platform: drawPlatform,
	sessions: drawSessions,
	"tenant-resolution": drawTenantResolution,
};

/** Every file that `pnpm docs:concepts` writes, with its contents. */
export const conceptPictures = (): { name: string; file: string; text: string }[] =>
	Object.entries(DRAW).flatMap(([name, draw]) =>
		(["light", "dark"] as const).map((theme) => ({
			name,
			file: join(FOLDER, `${name}-${theme}.svg`),
			text: draw(theme),
		})),
	);

/** `pnpm docs:concepts` */
if (import.meta.main) for (const { file, text } of conceptPictures()) writeFileSync(file, text);
