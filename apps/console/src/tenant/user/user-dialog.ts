import type { ListedUser } from "../../api/users.ts";

/** What every dialog about a user is given. */
export type UserDialogProps = { user: ListedUser; isOpen: boolean; onClose: () => void };
