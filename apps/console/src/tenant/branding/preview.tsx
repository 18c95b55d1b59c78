import type { Branding } from "../../api/branding.ts";
import { inkOn, isColor, lightenedFor } from "./contrast.ts";
import { PREVIEW_TEXTS } from "./preview-texts.ts";

type Look = { page: string; surface: string; ink: string; soft: string; line: string; brand: string };

/** The colors of the sign-in pages, as in their style sheet. */
const lookOf = (scheme: "light" | "dark", { primaryColor = "", backgroundColor = "" }: Branding): Look =>
	scheme === "light"
		? {
				page: isColor(backgroundColor) ? backgroundColor : "#f4f4f5",
				surface: "#ffffff",
				ink: "#18181b",
				soft: "#52525b",
				line: "#8a8a94",
				brand: isColor(primaryColor) ? primaryColor : "#27272a",
			}
		: {
				page: "#101114",
				surface: "#1a1b1f",
				ink: "#f4f4f5",
				soft: "#b4b4bd",
				line: "#74747f",
				brand: isColor(primaryColor) ? lightenedFor("#1a1b1f", primaryColor) : "#e4e4e7",
			};

type PreviewProps = { scheme: "light" | "dark"; tenantName: string; branding: Branding };

/** A small sign-in page. A picture for screen readers: nothing in it works. */
export const Preview = ({ scheme, tenantName, branding }: PreviewProps) => {
	const look = lookOf(scheme, branding);
	const texts = PREVIEW_TEXTS[branding.locale ?? "en"] ?? PREVIEW_TEXTS.en;
	if (!texts) return null;
	const name = branding.name || tenantName;
	const legal = (["terms", "privacy", "imprint"] as const).flatMap((field, at) =>
		branding[field] ? [texts.legal[at] ?? ""] : [],
	);
	return (
		<figure className="grid gap-2">
			<figcaption className="text-sm font-medium">
				{scheme === "light" ? "Preview in light mode" : "In dark mode"}
			</figcaption>
			<div
				role="img"
				aria-label={`The sign-in page of ${name} in ${scheme} mode`}
				className="grid justify-items-center gap-3 rounded-lg border border-hair px-4 py-6"
				style={{ background: look.page, color: inkOn(look.page) }}
			>
				<div
					className="grid w-full max-w-72 gap-3 rounded-md p-5 text-left"
					style={{ background: look.surface, color: look.ink }}
				>
					{branding.logo && (
						<span
							className="inline-grid h-9 w-32 place-items-center rounded-sm border border-dashed text-xs"
							style={{ borderColor: look.line, color: look.soft }}
						>
							Your logo
						</span>
					)}
					<span className="pb-1 text-lg font-semibold wrap-anywhere">{texts.title(name)}</span>
					{[texts.email, texts.password].map((label) => (
						<span key={label} className="grid gap-1">
							<span className="text-xs font-medium">{label}</span>
							<span className="h-8 rounded-md border" style={{ borderColor: look.line }} />
						</span>
					))}
					<span
						className="mt-1 grid h-9 place-items-center rounded-md text-sm font-semibold"
						style={{ background: look.brand, color: inkOn(look.brand) }}
					>
						{texts.action}
					</span>
				</div>
				{legal.length > 0 && <span className="flex flex-wrap justify-center gap-3 text-xs">{legal.join(" · ")}</span>}
			</div>
		</figure>
	);
};
