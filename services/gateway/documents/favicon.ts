/** The icon of the service: browsers and registries ask for `/favicon.ico` unasked, pages name `/favicon.svg`. */
import type { FastifyInstance } from "fastify";
import { addAsset } from "./asset.ts";

/** A flash on a dark tile. Attributes only: the policy of every answer allows no style. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b3d4f"/>
<path d="M18 4 8 18h7l-2 10 11-15h-8z" fill="#ffd24a"/>
</svg>
`;

/** The same file under both names: its media type says what it is, not its name. */
export function addFavicon(app: FastifyInstance): void {
	for (const path of ["/favicon.svg", "/favicon.ico"]) addAsset(app, path, "image/svg+xml", Buffer.from(icon));
}
