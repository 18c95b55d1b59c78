import { ICON_PATHS } from "./icons.ts";
import { nameOf } from "./known-providers.ts";

/** A provider's logo in one color, or its first letter. Nothing is loaded. */
export const ProviderLogo = ({ providerId }: { providerId: string }) => {
	const path = Object.hasOwn(ICON_PATHS, providerId) ? ICON_PATHS[providerId] : undefined;
	return (
		<span
			aria-hidden
			className="grid size-10 shrink-0 place-items-center rounded-md border border-hair bg-canvas text-ink"
		>
			{path ? (
				<svg viewBox="0 0 24 24" className="size-5 fill-current" role="presentation">
					<path d={path} />
				</svg>
			) : (
				<span className="text-lg font-semibold">{nameOf(providerId).slice(0, 1)}</span>
			)}
		</span>
	);
};
