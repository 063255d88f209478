package shop;

import com.pulumi.Pulumi;
import com.pulumi.clouddb.Service;
import com.pulumi.clouddb.ServiceArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(context -> {
            var orders = new Service("orders", ServiceArgs.builder()
                .cpuMillis(1000)
                .memoryGbs(4)
                .build());

            context.export("connectionString", orders.connectionString());
        });
    }
}
