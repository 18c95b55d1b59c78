export const MANAGEMENT_KEY = "bench-management-key-0123456789abcdef";
