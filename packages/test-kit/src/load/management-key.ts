/** The management key of every application under load and every proof of the service. */
export const MANAGEMENT_KEY = "isolation-management-key-0123456789";
