import { Field } from "../../ui/field.tsx";
import { contrast, isColor } from "./contrast.ts";

type ColorFieldProps = {
	label: string;
	value: string;
	onChange: (event: { target: { value: string } }) => void;
	error: string | null;
	hint?: string;
	placeholder?: string;
	/** the color that it must be told apart from */
	against?: string;
};

/** The least contrast of buttons to the form (WCAG 2.2, 1.4.11). The service refuses less. */
const LEAST = 3;

/** What the contrast is while typing. */
const told = (value: string, against: string | undefined): { text: string; isPoor: boolean } | null => {
	if (!against || !isColor(value)) return null;
	const ratio = contrast(value, against);
	const rounded = (Math.floor(ratio * 10) / 10).toFixed(1);
	return ratio < LEAST
		? { text: `Contrast to white: ${rounded}. At least ${LEAST} is needed: use a darker color.`, isPoor: true }
		: { text: `Contrast to white: ${rounded}.`, isPoor: false };
};

/** A color as text, with the browser's picker beside it. */
export const ColorField = ({
	label,
	value,
	onChange,
	error,
	hint,
	placeholder = "#0057b8",
	against,
}: ColorFieldProps) => {
	const contrastTold = told(value, against);
	return (
		<Field
			label={label}
			error={error ?? (contrastTold?.isPoor ? contrastTold.text : null)}
			hint={contrastTold && !contrastTold.isPoor ? contrastTold.text : (hint ?? "For example #0057b8.")}
		>
			{(ids) => (
				<div className="flex gap-2">
					<input
						type="color"
						aria-label={`Choose a color for ${label}`}
						value={isColor(value) ? value.toLowerCase() : placeholder}
						onChange={onChange}
						className="size-9 shrink-0 rounded-md border border-edge bg-surface p-1"
					/>
					<input
						{...ids}
						type="text"
						value={value}
						onChange={onChange}
						maxLength={7}
						placeholder={placeholder}
						autoComplete="off"
						spellCheck={false}
						className="min-h-9 w-full min-w-0 rounded-md border border-edge bg-surface px-3 py-1.5 font-mono text-base text-ink placeholder:text-soft aria-invalid:border-danger"
					/>
				</div>
			)}
		</Field>
	);
};
