import { expectPackageExpressionsLinear } from "./expect-package-expressions-linear.ts";
import { longTexts } from "./growth-of-steps.ts";

expectPackageExpressionsLinear(longTexts);
