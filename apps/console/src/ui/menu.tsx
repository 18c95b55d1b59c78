import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

type MenuProps = {
	/** the name, unless the trigger has a text that says it */
	label?: string;
	trigger: ReactNode;
	children: ReactNode;
	align?: "start" | "end";
	className?: string;
};

/**
 * A menu button. Not modal: a modal menu would inject a style, which the content security policy forbids. It stays where it is
 * in the page, so that it works in a dialog and belongs to its landmark.
 */
export const Menu = ({ label, trigger, children, align = "end", className = "" }: MenuProps) => (
	<DropdownMenu.Root modal={false}>
		<DropdownMenu.Trigger
			aria-label={label}
			className={`inline-flex min-h-9 min-w-9 items-center justify-center gap-2 rounded-md hover:bg-sunken ${className}`}
		>
			{trigger}
		</DropdownMenu.Trigger>
		<DropdownMenu.Content
			align={align}
			sideOffset={4}
			collisionPadding={12}
			className="z-40 min-w-44 rounded-lg border border-hair bg-raised p-1 text-sm shadow-float"
		>
			{children}
		</DropdownMenu.Content>
	</DropdownMenu.Root>
);

const item =
	"flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 outline-none select-none data-highlighted:bg-sunken data-disabled:opacity-50";

type MenuItemProps = { onSelect: () => void; isDanger?: boolean; isDisabled?: boolean; children: ReactNode };

export const MenuItem = ({ onSelect, isDanger = false, isDisabled = false, children }: MenuItemProps) => (
	<DropdownMenu.Item
		disabled={isDisabled}
		onSelect={onSelect}
		className={`${item} ${isDanger ? "text-danger-ink" : ""}`}
	>
		{children}
	</DropdownMenu.Item>
);

export const MenuLine = () => <DropdownMenu.Separator className="my-1 h-px bg-hair" />;

export const MenuText = ({ children }: { children: ReactNode }) => (
	<DropdownMenu.Label className="px-2.5 py-1.5 text-soft">{children}</DropdownMenu.Label>
);
