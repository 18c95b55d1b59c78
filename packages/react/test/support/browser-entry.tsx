import { createRoot, hydrateRoot } from "react-dom/client";
import { Application } from "./application.tsx";

window.called = [];
const root = document.getElementById("root");
if (root?.firstChild) hydrateRoot(root, <Application {...window.given} />);
else if (root) createRoot(root).render(<Application path={location.pathname} query={location.search} />);
