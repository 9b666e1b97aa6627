/** Builds the pages into `web/dist`, with an entry for each page. The gateway reads the build's manifest when it starts. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
	root: here,
	base: "/web/assets/",
	publicDir: false,
	oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
	build: {
		outDir: "dist",
		emptyOutDir: true,
		manifest: "manifest.json",
		assetsDir: ".",
		// The content security policy forbids inline styles, and `data:` addresses other than icons.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		// The map library is a single module of a megabyte, which is loaded after the page.
		chunkSizeWarningLimit: 1_200,
		rolldownOptions: {
			// Builds can be slow on a busy machine.
			checks: { bundlerTimings: false },
			// Pages are rendered only by clients, so "use client" in libraries has no effect.
			onLog: (level, log, report) => {
				if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
			},
			input: Object.fromEntries(readdirSync(`${here}/pages`).map((page) => [page, `${here}/pages/${page}/main.tsx`])),
		},
	},
	logLevel: "warn",
});
