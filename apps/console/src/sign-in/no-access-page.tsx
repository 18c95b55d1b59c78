import { Button } from "../ui/button.tsx";
import { Aside } from "./aside.tsx";
import { signOut } from "./sign-out.ts";

export const NoAccessPage = () => (
	<Aside
		title="This account is not an operator"
		intro="You are signed in to the platform, and your account has no role that manages tenants. Ask an operator, or use another account."
	>
		<Button kind="primary" className="min-h-10" onClick={() => void signOut()}>
			Use another account
		</Button>
	</Aside>
);
