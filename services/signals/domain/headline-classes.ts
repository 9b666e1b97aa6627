/** What headlines say of a developer (signals sheet, 3.4): the classes in order of precedence. Data alone. */
import { distress } from "./headline-classes/distress.ts";
import { financing } from "./headline-classes/financing.ts";
import { litigation } from "./headline-classes/litigation.ts";
import { ma } from "./headline-classes/ma.ts";
import type { HeadlineClass } from "./headline-classes/pattern.ts";
import { project } from "./headline-classes/project.ts";

export type { HeadlineClass } from "./headline-classes/pattern.ts";

/** First class that matches wins; what matches none is a `mention`. */
export const headlineClasses: readonly HeadlineClass[] = [distress, litigation, ma, financing, project];
