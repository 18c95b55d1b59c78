import "react";

declare module "react" {
	interface CSSProperties {
		/** the color of a tenant, see app/styles.css */
		"--hue"?: number;
	}
}
