import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice, Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Time } from "../ui/time.tsx";
import { Aside } from "./aside.tsx";
import { signOut } from "./sign-out.ts";

/** Says whose account an operator sees in this browser, until when, and ends it. An impersonated session can do no more here. */
export const ImpersonatingPage = () => {
	const { data, error } = useQuery({ queryKey: ["session"], queryFn: () => unwrap(authClient.getSession()) });
	const [isEnding, setEnding] = useState(false);
	const navigate = useNavigate();
	const isOver = data === null;
	useEffect(() => {
		if (isOver) void navigate({ to: "/" });
	}, [isOver, navigate]);
	const end = async (): Promise<void> => {
		setEnding(true);
		await signOut();
	};
	return (
		<Aside
			title="You impersonate a user"
			intro="Your application shows what this user sees. Until you end it, the console stays closed, and passwords and second factors cannot be changed."
		>
			{error && <ErrorNotice error={error} />}
			<Notice tone="warn" title={data ? data.user.name || data.user.email : "…"}>
				{data ? (
					<>
						{data.user.email}. It ends by itself <Time at={data.session.expiresAt} />.
					</>
				) : (
					<Skeleton />
				)}
			</Notice>
			<Button kind="primary" className="min-h-10" isBusy={isEnding} onClick={() => void end()}>
				End now and sign in again
			</Button>
		</Aside>
	);
};
