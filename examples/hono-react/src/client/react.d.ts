import "react";

declare module "react" {
	interface CSSProperties {
		/** the color of a tenant, see styles.css */
		"--hue"?: number;
	}
}
