import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { say } from "../../ui/toasts.tsx";
import { useTarget } from "./use-target.ts";
import type { UserDialogProps } from "./user-dialog.ts";

/** Everything that is stored about a user, as a file. */
export const ExportDialog = ({ user, ...dialog }: UserDialogProps) => {
	const target = useTarget(user);
	const save = async (): Promise<void> => {
		const data = await unwrap(authClient.tenant.user.export({ query: target }));
		saveFile(`user-${user.id}.json`, JSON.stringify(data, null, "\t"));
		say(`The data of ${user.email} is in your downloads`);
	};
	return (
		<Confirm title="Export the data of this user?" action="Download" {...dialog} onConfirm={save}>
			A JSON file with everything that is stored about <strong>{user.email}</strong>, by table. It contains no passwords
			and no tokens. Somebody who asks for their data gets this file.
		</Confirm>
	);
};
