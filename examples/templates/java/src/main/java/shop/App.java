package shop;

import com.pulumi.Pulumi;
import com.pulumi.clouddb.Service;
import com.pulumi.clouddb.ServiceArgs;
import com.pulumi.resources.CustomResourceOptions;

public class App {
    public static void main(String[] args) {
        Pulumi.run(context -> {
            var isProtected = context.config("clouddb").getBoolean("deletionProtection").orElse(true);

            // For an explicit provider of a ProductionDatabase, use providers(other): Pulumi ignores provider(other) there.
            var orders = new Service("orders", ServiceArgs.builder()
                .cpuMillis(1000)
                .memoryGbs(4)
                .build(), CustomResourceOptions.builder()
                .protect(isProtected) // a preview then refuses a deletion, and a rename without an alias
                .build());

            context.export("connectionString", orders.connectionString());
        });
    }
}
