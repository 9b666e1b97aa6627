/** Every page at the other widths and in the other colours. */
import { testViews } from "./views.ts";

testViews([
	{ width: 360, colorScheme: "light" },
	{ width: 768, colorScheme: "light" },
	{ width: 1_920, colorScheme: "dark" },
]);
