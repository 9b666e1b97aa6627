/** The pages for browsers: one entry a page, into `web/dist`, whose manifest the gateway reads when it starts. */
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
		// The pages' policy allows no style within a document, and no `data:` but icons.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		// The map library is one module of a megabyte, loaded after the page.
		chunkSizeWarningLimit: 1_200,
		rolldownOptions: {
			// On a busy machine a slow build is nothing to warn of.
			checks: { bundlerTimings: false },
			// "use client" of libraries says nothing to a page that is rendered by clients alone.
			onLog: (level, log, report) => {
				if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
			},
			input: Object.fromEntries(readdirSync(`${here}/pages`).map((page) => [page, `${here}/pages/${page}/main.tsx`])),
		},
	},
	logLevel: "warn",
});
