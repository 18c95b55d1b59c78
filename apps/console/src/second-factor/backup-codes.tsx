import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** The backup codes, shown once. */
export const BackupCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
	const [isCopied, setCopied] = useState(false);
	const copy = async (): Promise<void> => {
		await navigator.clipboard.writeText(codes.join("\n"));
		setCopied(true);
	};
	return (
		<div className="grid gap-4">
			<Notice tone="warn" title="Keep these codes">
				Without your phone, each of them lets you in once. They are not shown again.
			</Notice>
			<ul
				aria-label="Backup codes"
				className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-3 font-mono text-sm"
			>
				{codes.map((code) => (
					<li key={code}>{code}</li>
				))}
			</ul>
			<div className="flex flex-wrap justify-end gap-2">
				<Button onClick={copy}>
					{isCopied ? <Check className="size-4" aria-hidden /> : <Copy className="size-4" aria-hidden />}
					{isCopied ? "Copied" : "Copy codes"}
				</Button>
				<Button kind="primary" onClick={onDone}>
					I have kept them
				</Button>
			</div>
		</div>
	);
};
