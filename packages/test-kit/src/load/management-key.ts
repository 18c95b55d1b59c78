/** The key that every application under load and every proof of the service is started with. */
export const MANAGEMENT_KEY = "isolation-management-key-0123456789";
