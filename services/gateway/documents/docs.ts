/** The documentation page: Swagger UI from its npm package, so that it needs nothing from the internet. */
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { about } from "./about.ts";
import { addAsset } from "./asset.ts";

/** Where the browser finds the rest of the page. */
const folder = "/docs";

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${about.name}</title>
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/sections.css">
<link rel="icon" type="image/png" href="${folder}/favicon-32x32.png" sizes="32x32">
</head>
<body>
<nav class="sections" aria-label="Documentation"><span aria-current="page">Endpoints</span> <a href="${folder}/events">Events</a></nav>
<div id="swagger-ui"></div>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/start.js"></script>
</body>
</html>
`;

/** A file of its own because the page's policy allows no script within it. Without a validator nothing is sent elsewhere. */
const start = `SwaggerUIBundle({
	url: "/openapi.json",
	dom_id: "#swagger-ui",
	deepLinking: true,
	validatorUrl: null,
	defaultModelsExpandDepth: 0,
});
`;

/** The line above the interface, from page to page. */
const sections = `nav.sections { display: flex; gap: 1.2rem; padding: 0.9rem 1.25rem; font: 1rem/1.5 system-ui, sans-serif; }
nav.sections a { color: #0b5f7d; }
nav.sections span { font-weight: 600; color: #16232b; }
`;

const packaged = {
	"swagger-ui.css": "text/css; charset=utf-8",
	"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	"favicon-32x32.png": "image/png",
};

/** The page's files; the page itself is the operation `getDocs`. */
export function addDocsAssets(app: FastifyInstance): void {
	addAsset(app, `${folder}/sections.css`, "text/css; charset=utf-8", Buffer.from(sections));
	addAsset(app, `${folder}/start.js`, "text/javascript; charset=utf-8", Buffer.from(start));
	for (const [file, mediaType] of Object.entries(packaged)) {
		const source = new URL(import.meta.resolve(`swagger-ui-dist/${file}`));
		addAsset(app, `${folder}/${file}`, mediaType, readFileSync(source));
	}
}
