import { useNavigate } from "@tanstack/react-router";
import { Check, LogOut, UserRound } from "lucide-react";
import { signOut } from "../sign-in/sign-out.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Menu, MenuItem, MenuLine, MenuText } from "../ui/menu.tsx";
import { type Theme, useTheme } from "./theme.ts";
import { useViewer } from "./use-viewer.ts";

const THEMES: [Theme, string][] = [
	["system", "As the system"],
	["light", "Light"],
	["dark", "Dark"],
];

/** Who is signed in: own account, theme, sign-out. */
export const ViewerMenu = ({ isCompact = false }: { isCompact?: boolean }) => {
	const { user } = useViewer();
	const navigate = useNavigate();
	const [theme, choose] = useTheme();
	return (
		<Menu
			{...(isCompact ? { label: `Account of ${user.name || user.email}` } : {})}
			align={isCompact ? "end" : "start"}
			className={isCompact ? "" : "w-full justify-start! px-1.5 py-1.5 text-left"}
			trigger={
				<>
					<Avatar name={user.name || user.email} />
					{!isCompact && (
						<span className="grid min-w-0">
							<span className="truncate text-sm font-medium">{user.name}</span>
							<span className="truncate text-xs text-soft">{user.email}</span>
						</span>
					)}
				</>
			}
		>
			<MenuText>{user.email}</MenuText>
			<MenuItem onSelect={() => void navigate({ to: "/account" })}>
				<UserRound className="size-4" aria-hidden /> Your account
			</MenuItem>
			<MenuLine />
			{THEMES.map(([value, title]) => (
				<MenuItem key={value} onSelect={() => choose(value)}>
					<Check className={`size-4 ${theme === value ? "" : "invisible"}`} aria-hidden /> {title}
				</MenuItem>
			))}
			<MenuLine />
			<MenuItem onSelect={() => void signOut()}>
				<LogOut className="size-4" aria-hidden /> Sign out
			</MenuItem>
		</Menu>
	);
};
