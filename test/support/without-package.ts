/** The environment in which Node.js answers for a package as it does where it is not installed. */
export function withoutPackage(name: string): { readonly NODE_OPTIONS: string } {
  const hooks = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve: (specifier, context, next) => {
        if (specifier !== "${name}") return next(specifier, context);
        const message = "Cannot find package '${name}' imported from " + context.parentURL;
        throw Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });
      },
    });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` };
}
