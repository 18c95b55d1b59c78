import { Check, Copy } from "lucide-react";
import { useState } from "react";

/** A value to copy, such as a callback URL. */
export const CopyField = ({ label, value }: { label: string; value: string }) => {
	const [isCopied, setCopied] = useState(false);
	const copy = async (): Promise<void> => {
		await navigator.clipboard.writeText(value);
		setCopied(true);
		setTimeout(() => setCopied(false), 2_000);
	};
	return (
		<div className="grid gap-1.5">
			<span className="text-sm font-medium">{label}</span>
			<div className="flex items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-3">
				<code className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{value}</code>
				<button
					type="button"
					onClick={copy}
					aria-label={isCopied ? `${label} copied` : `Copy ${label}`}
					className="grid size-8 shrink-0 place-items-center rounded-md hover:bg-hair"
				>
					{isCopied ? <Check className="size-4 text-good-ink" aria-hidden /> : <Copy className="size-4" aria-hidden />}
				</button>
			</div>
		</div>
	);
};
